import { listen } from '@casewatch/service-kit/http/http-server';
import { type Clock, systemClock } from '@casewatch/service-kit/runtime/clock';
import { type ControlFrom, controlFrom } from '@casewatch/simulator-kit/control-api';
import { offerPro } from './api/prices.ts';
import { runDueWork } from './billing/due-work.ts';
import { createRequestHandler } from './http/request-handler.ts';
import { createPaymentsState } from './state.ts';
import { createStateSaver, loadState } from './state-file.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';

export interface PaymentsSimulatorOptions {
  /** 0 (the default) takes a free one. */
  port?: number;
  /** The default is loopback. */
  host?: string;
  /** From where `/__control` may be used; `true` is this machine. The default is nowhere. */
  control?: boolean | ControlFrom;
  /** Where browsers reach it, when that is not where it listens: the origin of its pages and its script. */
  publicUrl?: string | undefined;
  /** `sk_test_…`: opens the whole API. */
  secretKey: string;
  /** `pk_test_…`: opens what a browser may do. */
  publishableKey: string;
  /** Where events go. Without it they wait for `sendWebhooksTo`. */
  webhookUrl?: string;
  /** `whsec_…`: signs them. */
  webhookSecret: string;
  /** Keeps the state over restarts; without one it ends with the process. */
  stateFile?: string | undefined;
  clock?: Clock;
  /** Times the signatures of webhooks; the real time unless the receiver's clock is another. */
  webhookClock?: Clock;
  /** Delay of a failed webhook before each of its next attempts. */
  webhookRetryDelaysMs?: readonly number[];
  /** How long payments with the processing card take: 10 s, or until the control API settles them (null). */
  settleAfterMs?: number | null;
}

export interface PaymentsSimulator {
  readonly url: string;
  readonly port: number;
  /** The address of the browser script that defines `window.Stripe`. */
  readonly scriptUrl: string;
  sendWebhooksTo(url: string): void;
  /** Each of these opens the whole API from now on, and no other. */
  acceptSecretKeys(...keys: string[]): void;
  /** Cuts requests that are held open, writes the state file, and resolves when the port is free. */
  stop(): Promise<void>;
}

const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000];
const SETTLE_AFTER_MS = 10_000;
/** How late a trial may end or a payment settle without a request. */
const DUE_WORK_EVERY_MS = 500;

/**
 * Starts an HTTP server that behaves as Stripe's API does, as far as subscriptions to one plan need it, with the pages
 * and the browser script that belong to it. @throws the listen error (EADDRINUSE, EACCES); for a broken state file
 */
export async function startPaymentsSimulator(options: PaymentsSimulatorOptions): Promise<PaymentsSimulator> {
  const { stateFile, settleAfterMs = SETTLE_AFTER_MS } = options;
  const state = createPaymentsState({
    secretKey: options.secretKey,
    publishableKey: options.publishableKey,
    clock: options.clock ?? systemClock,
    settleAfterMs: settleAfterMs ?? Number.POSITIVE_INFINITY,
    saved: stateFile === undefined ? undefined : loadState(stateFile),
  });
  offerPro(state);
  const webhooks = createWebhookSender({
    url: options.webhookUrl,
    secret: options.webhookSecret,
    clock: options.webhookClock ?? systemClock,
    retryDelaysMs: options.webhookRetryDelaysMs ?? RETRY_DELAYS_MS,
  });
  for (const event of state.store.events.values()) if (event.pending_webhooks > 0) webhooks.enqueue(event);
  state.events.onEvent((event) => webhooks.enqueue(event));
  const saver = createStateSaver(state, stateFile);
  const stopping = new AbortController();
  const handler = createRequestHandler(state, {
    control: controlFrom(options.control ?? false),
    stopping: stopping.signal,
    webhooks,
    onChange: saver.changed,
  });
  const server = await listen(handler, { host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
  state.baseUrl = (options.publicUrl ?? server.url).replace(/\/+$/, '');
  const dueWork = setInterval(() => {
    const before = state.store.events.size;
    runDueWork(state);
    if (state.store.events.size !== before) saver.changed();
  }, DUE_WORK_EVERY_MS).unref();
  return {
    url: server.url,
    port: server.port,
    scriptUrl: `${state.baseUrl}/v3/`,
    sendWebhooksTo: (url) => webhooks.sendTo(url),
    acceptSecretKeys: (...keys) => {
      state.secretKeys = keys;
    },
    stop: async () => {
      clearInterval(dueWork);
      stopping.abort();
      await Promise.all([server.drain(), webhooks.stop()]);
      saver.stop();
    },
  };
}
