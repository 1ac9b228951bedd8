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

interface SenderOptions {
  /** Without one, events wait for `sendTo`. */
  url: string | undefined;
  secret: string;
  /** Times the signatures, by which the receiver judges their age. */
  clock: Clock;
  retryDelaysMs: readonly number[];
}

/**
 * Creates the sender of events to one endpoint; a failed one is retried after each of `retryDelaysMs` in turn while later events
 * are sent. Delays are real time: they are the network's.
 */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  return new Sender(options);
}

class Sender implements WebhookSender {
  private url: string | undefined;
  private settings: WebhookSettings = { duplicate: false, shuffle: false, drop: 0, paused: false };
  private queue: Delivery[] = [];
  private waitingRetries = 0;
  private gathering = false;
  private readonly counts = { delivered: 0, failed: 0 };
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly options: SenderOptions;

  constructor(options: SenderOptions) {
    this.options = options;
    this.url = options.url;
  }

  sendTo(url: string): void {
    this.url = url;
    this.dispatch();
  }

  enqueue(event: EventDoc): void {
    if (this.settings.drop > 0) {
      this.settings.drop -= 1;
      event.pending_webhooks = 0;
      return;
    }
    const copies = this.settings.duplicate ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) this.queue.push({ event, key: keyOf(event), attempts: 0 });
    this.dispatch();
  }

  change(given: Partial<WebhookSettings>): WebhookSettings {
    this.settings = { ...this.settings, ...given };
    this.dispatch();
    return this.settings;
  }

  status() {
    const waiting = this.queue.length + this.inFlight.size + this.waitingRetries;
    return { ...this.settings, ...this.counts, waiting };
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.inFlight.values());
  }

  private dispatch(): void {
    if (this.settings.paused || this.queue.length === 0) return;
    if (this.settings.shuffle) this.gather();
    else this.sendQueued();
  }

  /** Sends the first delivery of every key that has none in flight. */
  private sendQueued(): void {
    if (this.url === undefined || this.stopping.signal.aborted) return;
    const waiting: Delivery[] = [];
    for (const delivery of this.queue) {
      if (this.inFlight.has(delivery.key)) waiting.push(delivery);
      else this.begin(delivery, this.url);
    }
    this.queue = waiting;
  }

  private begin(delivery: Delivery, to: string): void {
    const sent = this.attempt(delivery, to).finally(() => {
      this.inFlight.delete(delivery.key);
      this.dispatch();
    });
    this.inFlight.set(delivery.key, sent);
  }

  private gather(): void {
    if (this.gathering) return;
    this.gathering = true;
    const done = () => {
      this.gathering = false;
      // Every delivery gets a key of its own, so that nothing keeps them in order.
      this.queue = this.queue
        .map((delivery, index) => ({ delivery: { ...delivery, key: `${index}` }, place: Math.random() }))
        .sort((one, other) => one.place - other.place)
        .map(({ delivery }) => delivery);
      if (!this.settings.paused) this.sendQueued();
    };
    wait(GATHER_MS, undefined, { signal: this.stopping.signal }).then(done, () => undefined);
  }

  private async attempt(delivery: Delivery, to: string): Promise<void> {
    delivery.attempts += 1;
    const atSeconds = Math.floor(this.options.clock.nowMs() / 1000);
    const { secret } = this.options;
    if (await send(delivery.event, { url: to, secret, atSeconds, signal: this.stopping.signal })) {
      this.counts.delivered += 1;
      delivery.event.pending_webhooks = 0;
    } else {
      this.counts.failed += 1;
      this.retryLater(delivery);
    }
  }

  private retryLater(delivery: Delivery): void {
    const delayMs = this.options.retryDelaysMs[delivery.attempts - 1];
    const { signal } = this.stopping;
    if (delayMs === undefined || signal.aborted) return;
    this.waitingRetries += 1;
    const retry = () => {
      this.waitingRetries -= 1;
      this.queue.push(delivery);
      this.dispatch();
    };
    wait(delayMs, undefined, { signal, ref: false }).then(retry, () => undefined);
  }
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
