import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import Stripe from 'stripe';
import { type PaymentsSimulatorOptions, startPaymentsSimulator } from '../src/payments-simulator.ts';

export const KEYS = {
  secretKey: 'sk_test_simulated0123456789',
  publishableKey: 'pk_test_simulated0123456789',
  webhookSecret: 'whsec_simulated0123456789',
};
export const NEW_YEAR_MS = Date.parse('2026-01-01T12:00:00Z');

/** What came to the webhook endpoint, as verified by the SDK. */
export interface Inbox {
  readonly url: string;
  readonly events: Stripe.Event[];
  /** Statuses to answer with in turn; 200 when there is none left. */
  readonly answers: number[];
  types(): string[];
  /** Resolves once `count` deliveries were answered. @throws after five seconds */
  until(count: number): Promise<void>;
}

export interface PaymentsUnderTest extends AsyncDisposable {
  readonly url: string;
  readonly scriptUrl: string;
  readonly clock: ManualClock;
  readonly stripe: Stripe;
  readonly inbox: Inbox;
  stop(): Promise<void>;
  control(method: string, path: string, body?: unknown): Promise<Response>;
  advanceDays(days: number): Promise<void>;
  /** The types of all events, in the order in which they arrived. */
  eventTypes(): Promise<string[]>;
  /** A call as the browser makes it. */
  browser(method: string, path: string, form?: Record<string, string>): Promise<Response>;
}

/** The SDK, pointed at a simulator. It repeats nothing on its own. */
export function sdk(url: string, config: Stripe.StripeConfig = {}): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(KEYS.secretKey, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...config,
  });
}

/** A simulator on a free port with a webhook endpoint of its own, its clock standing still. */
export async function startPayments(
  options: Partial<PaymentsSimulatorOptions> = {},
): Promise<PaymentsUnderTest> {
  const clock = createManualClock(NEW_YEAR_MS);
  const inbox = await startInbox();
  const simulator = await startPaymentsSimulator({
    ...KEYS,
    webhookUrl: inbox.url,
    control: true,
    clock,
    webhookRetryDelaysMs: [5, 5, 5],
    ...options,
  });
  const { url } = simulator;
  const payments: PaymentsUnderTest = {
    ...simulator,
    clock,
    inbox,
    stripe: sdk(url),
    control: (method, path, body) =>
      fetch(`${url}/__control${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      }),
    advanceDays: async (advanceDays) => {
      const answer = await payments.control('POST', '/clock', { advanceDays });
      if (!answer.ok) throw new Error(await answer.text());
    },
    eventTypes: async () => {
      const deadline = Date.now() + 5_000;
      for (;;) {
        const answer = await payments.control('GET', '/webhooks');
        const { waiting } = (await answer.json()) as { waiting: number };
        if (waiting === 0) return inbox.types();
        if (Date.now() > deadline) throw new Error(`${waiting} events are still to be sent`);
      }
    },
    browser: (method, path, form = {}) => {
      const query = new URLSearchParams(form);
      return fetch(`${url}${path}${method === 'GET' ? `?${query}` : ''}`, {
        method,
        headers: { Authorization: `Bearer ${KEYS.publishableKey}` },
        ...(method === 'POST' ? { body: query } : {}),
      });
    },
    [Symbol.asyncDispose]: async () => {
      await simulator.stop();
      await inbox.stop();
    },
  };
  return payments;
}

async function startInbox(): Promise<Inbox & { stop(): Promise<void> }> {
  const events: Stripe.Event[] = [];
  const answers: number[] = [];
  let answered = 0;
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const signature = req.headers['stripe-signature'] ?? '';
    const status = answers.shift() ?? 200;
    const { webhooks } = new Stripe(KEYS.secretKey);
    events.push(webhooks.constructEvent(Buffer.concat(chunks), signature, KEYS.webhookSecret));
    res.writeHead(status).end(() => {
      answered += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    events,
    answers,
    types: () => events.map(({ type }) => type),
    until: async (count) => {
      const deadline = Date.now() + 5_000;
      while (answered < count) {
        if (Date.now() > deadline) throw new Error(`${answered} of ${count} deliveries came`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
