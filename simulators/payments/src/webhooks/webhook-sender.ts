import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { EventDoc } from '../documents.ts';

export interface WebhookSettings {
  /** Every event is sent twice. */
  duplicate: boolean;
  /** Events are gathered for a moment and sent in random order. */
  shuffle: boolean;
  /** This many of the next events are recorded as delivered but never sent. */
  drop: number;
  /** Events wait until it is false again. */
  paused: boolean;
}

export interface WebhookSender {
  /** Sends events here from now on. */
  sendTo(url: string): void;
  enqueue(event: EventDoc): void;
  change(given: Partial<WebhookSettings>): WebhookSettings;
  /** The settings; how many sends were answered with 2xx and how many failed; how many events are still to be sent. */
  status(): WebhookSettings & { delivered: number; failed: number; waiting: number };
  stop(): Promise<void>;
}

interface Delivery {
  event: EventDoc;
  /** Deliveries with the same key are sent one after another. */
  key: string;
  attempts: number;
}

const GATHER_MS = 50;
const ANSWER_WITHIN_MS = 10_000;

/**
 * Sends every event to one endpoint; a failed one is retried after each of `retryDelaysMs` in turn while later events
 * are sent. Delays are real time: they are the network's.
 * @param clock times the signatures, by which the receiver judges their age
 */
export function createWebhookSender(options: {
  /** Without one, events wait for `sendTo`. */
  url: string | undefined;
  secret: string;
  clock: Clock;
  retryDelaysMs: readonly number[];
}): WebhookSender {
  let { url } = options;
  let settings: WebhookSettings = { duplicate: false, shuffle: false, drop: 0, paused: false };
  let queue: Delivery[] = [];
  let waitingRetries = 0;
  let gathering = false;
  const counts = { delivered: 0, failed: 0 };
  const inFlight = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;

  function dispatch(): void {
    if (settings.paused || queue.length === 0) return;
    if (settings.shuffle) gather();
    else sendQueued();
  }

  /** Sends the first delivery of every key that has none in flight. */
  function sendQueued(): void {
    if (url === undefined || signal.aborted) return;
    const waiting: Delivery[] = [];
    for (const delivery of queue) {
      if (inFlight.has(delivery.key)) waiting.push(delivery);
      else begin(delivery, url);
    }
    queue = waiting;
  }

  function begin(delivery: Delivery, to: string): void {
    const sent = attempt(delivery, to).finally(() => {
      inFlight.delete(delivery.key);
      dispatch();
    });
    inFlight.set(delivery.key, sent);
  }

  function gather(): void {
    if (gathering) return;
    gathering = true;
    const done = () => {
      gathering = false;
      // Every delivery gets a key of its own, so that nothing keeps them in order.
      queue = queue
        .map((delivery, index) => ({ delivery: { ...delivery, key: `${index}` }, place: Math.random() }))
        .sort((one, other) => one.place - other.place)
        .map(({ delivery }) => delivery);
      if (!settings.paused) sendQueued();
    };
    wait(GATHER_MS, undefined, { signal }).then(done, () => undefined);
  }

  async function attempt(delivery: Delivery, to: string): Promise<void> {
    delivery.attempts += 1;
    const atSeconds = Math.floor(options.clock.nowMs() / 1000);
    if (await send(delivery.event, { url: to, secret: options.secret, atSeconds, signal })) {
      counts.delivered += 1;
      delivery.event.pending_webhooks = 0;
    } else {
      counts.failed += 1;
      retryLater(delivery);
    }
  }

  function retryLater(delivery: Delivery): void {
    const delayMs = options.retryDelaysMs[delivery.attempts - 1];
    if (delayMs === undefined || signal.aborted) return;
    waitingRetries += 1;
    const retry = () => {
      waitingRetries -= 1;
      queue.push(delivery);
      dispatch();
    };
    wait(delayMs, undefined, { signal, ref: false }).then(retry, () => undefined);
  }

  return {
    sendTo: (given) => {
      url = given;
      dispatch();
    },
    enqueue: (event) => {
      if (settings.drop > 0) {
        settings.drop -= 1;
        event.pending_webhooks = 0;
        return;
      }
      const copies = settings.duplicate ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) queue.push({ event, key: keyOf(event), attempts: 0 });
      dispatch();
    },
    change: (given) => {
      settings = { ...settings, ...given };
      dispatch();
      return settings;
    },
    status: () => ({ ...settings, ...counts, waiting: queue.length + inFlight.size + waitingRetries }),
    stop: async () => {
      stopping.abort();
      await Promise.all(inFlight.values());
    },
  };
}

/** Sends one event, signed, once; true when it was answered with 2xx. Never rejects. */
async function send(
  event: EventDoc,
  { url, secret, atSeconds, signal }: { url: string; secret: string; atSeconds: number; signal: AbortSignal },
): Promise<boolean> {
  const payload = JSON.stringify(event, null, 2);
  // Stripe docs, "Verify webhook signatures manually".
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${payload}`).digest('hex');
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'Stripe-Signature': `t=${atSeconds},v1=${signature}`,
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** The customer that the event is about: events of one customer are sent one after another, others in parallel. */
function keyOf({ data: { object }, id }: EventDoc): string {
  if (typeof object !== 'object' || object === null) return id;
  const customer: unknown = Reflect.get(object, 'customer') ?? Reflect.get(object, 'id');
  return typeof customer === 'string' ? customer : id;
}
