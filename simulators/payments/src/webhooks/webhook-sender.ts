import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { EventDoc } from '../documents.ts';
import { deliver, laneOf } from './deliver.ts';

export interface WebhookSettings {
  /** Every event is sent twice. */
  duplicate: boolean;
  /** Events are gathered for a moment and sent in any order. */
  shuffle: boolean;
  /** The next so many events are never sent; Stripe believes they were. */
  drop: number;
  /** Events wait until it is false again, or for `flush`. */
  paused: boolean;
}

export interface WebhookSender {
  /** Where events go from now on. */
  sendTo(url: string): void;
  enqueue(event: EventDoc): void;
  change(given: Partial<WebhookSettings>): WebhookSettings;
  settings(): WebhookSettings;
  /** Sends what waits, also what waits for its retry; resolves when each was tried once. */
  flush(): Promise<void>;
  figures(): WebhookFigures;
  /** As it began. */
  reset(): void;
  stop(): Promise<void>;
}

export interface WebhookFigures {
  /** Sends that were answered with 2xx. */
  delivered: number;
  /** Sends that failed. */
  failed: number;
  /** Events left out on demand. */
  dropped: number;
  /** Events that are under way, or still to be sent or sent again. */
  waiting: number;
}

interface Delivery {
  event: EventDoc;
  lane: string;
  attempts: number;
}

const USUAL: WebhookSettings = { duplicate: false, shuffle: false, drop: 0, paused: false };
const GATHER_MS = 50;

/**
 * Sends every event to one endpoint; an answer other than 2xx, or none, is tried again after each of `retryDelaysMs`
 * in turn while later events go on. Delays are real time: they are the network's.
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
  let settings = { ...USUAL };
  let queue: Delivery[] = [];
  let retries = new Map<Delivery, AbortController>();
  let figures = { delivered: 0, failed: 0, dropped: 0 };
  let gathering = false;
  const lanes = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  function pump(): void {
    if (settings.paused || queue.length === 0) return;
    if (settings.shuffle) gather();
    else sendQueued();
  }

  /** Begins the first delivery of every lane that is free. */
  function sendQueued(): void {
    if (url === undefined || stopping.signal.aborted) return;
    const waiting: Delivery[] = [];
    for (const delivery of queue) {
      if (lanes.has(delivery.lane)) waiting.push(delivery);
      else begin(delivery, url);
    }
    queue = waiting;
  }

  function begin(delivery: Delivery, to: string): void {
    const sent = attempt(delivery, to).finally(() => {
      lanes.delete(delivery.lane);
      pump();
    });
    lanes.set(delivery.lane, sent);
  }

  function gather(): void {
    if (gathering) return;
    gathering = true;
    const done = () => {
      gathering = false;
      // Every delivery has a lane of its own: nothing keeps them in order.
      queue = queue.map((delivery, index) => ({ ...delivery, lane: `${delivery.event.id} ${index}` }));
      shuffle(queue);
      if (!settings.paused) sendQueued();
    };
    wait(GATHER_MS, undefined, { signal: stopping.signal }).then(done, () => undefined);
  }

  async function attempt(delivery: Delivery, to: string): Promise<void> {
    delivery.attempts += 1;
    const isDelivered = await deliver(delivery.event, {
      url: to,
      secret: options.secret,
      atSeconds: Math.floor(options.clock.nowMs() / 1000),
      signal: stopping.signal,
    });
    if (isDelivered) {
      figures.delivered += 1;
      delivery.event.pending_webhooks = 0;
    } else {
      figures.failed += 1;
      retryLater(delivery);
    }
  }

  function retryLater(delivery: Delivery): void {
    const delayMs = options.retryDelaysMs[delivery.attempts - 1];
    if (delayMs === undefined || stopping.signal.aborted) return;
    const waiting = new AbortController();
    retries.set(delivery, waiting);
    wait(delayMs, undefined, { signal: waiting.signal, ref: false }).then(
      () => {
        if (!retries.delete(delivery)) return;
        queue.push(delivery);
        pump();
      },
      // Taken over by `flush`, or given up with the simulator.
      () => undefined,
    );
  }

  function takeRetries(): Delivery[] {
    const taken = [...retries.keys()];
    for (const waiting of retries.values()) waiting.abort();
    retries = new Map();
    return taken;
  }

  return {
    sendTo: (given) => {
      url = given;
      pump();
    },
    enqueue: (event) => {
      if (settings.drop > 0) {
        settings.drop -= 1;
        figures.dropped += 1;
        event.pending_webhooks = 0;
        return;
      }
      const copies = settings.duplicate ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) queue.push({ event, lane: laneOf(event), attempts: 0 });
      pump();
    },
    change: (given) => {
      settings = { ...settings, ...given };
      pump();
      return { ...settings };
    },
    settings: () => ({ ...settings }),
    flush: async () => {
      await Promise.all(lanes.values());
      queue.push(...takeRetries());
      if (settings.shuffle) shuffle(queue);
      do {
        sendQueued();
        await Promise.all(lanes.values());
      } while (queue.length > 0 && url !== undefined && !stopping.signal.aborted);
    },
    figures: () => ({ ...figures, waiting: queue.length + lanes.size + retries.size }),
    reset: () => {
      settings = { ...USUAL };
      queue = [];
      takeRetries();
      figures = { delivered: 0, failed: 0, dropped: 0 };
    },
    stop: async () => {
      stopping.abort();
      takeRetries();
      await Promise.all(lanes.values());
    },
  };
}

function shuffle<T>(values: T[]): void {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [values[last], values[other]] = [values[other] as T, values[last] as T];
  }
}
