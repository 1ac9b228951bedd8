import type { Clock } from '@casewatch/service-kit/runtime/clock';

/** An item of the queue; items of one key are worked on in order. */
export interface Queued {
  readonly key: string;
}

/** Outcome of an item: settled, or to be retried after a delay, before the rest of its key. */
export type Outcome = 'settled' | { retryInMs: number };

/** Which items may share a call with this one, and how many; at most how many such calls at once. */
export interface Wants {
  readonly kind: string;
  readonly size: number;
  readonly limit?: number;
}

export interface KeyedQueueOptions<Item extends Queued> {
  clock: Clock;
  /** How many calls of `work` run side by side. */
  concurrency: number;
  /** How many items a call takes, and of what kind: only items of one kind share a call. */
  batchOf(item: Item): Wants;
  /** Works on the items, which may share a key and are then in order; one outcome per item. Never rejects. */
  work(items: readonly Item[]): Promise<Outcome[]>;
  onSettled(item: Item): void;
  /** Called for each item that was still waiting when the queue stopped. */
  onDropped(item: Item): void;
}

/**
 * Works through items in order per key, several keys concurrently. A key that waits for its retry holds no
 * slot, so that failing keys do not delay the others. Items that arrive while a batch of their kind is in progress
 * gather until it is done or a full batch is waiting: batches are large under load, and nothing waits without it.
 */
export class KeyedQueue<Item extends Queued> {
  readonly #options: KeyedQueueOptions<Item>;
  readonly #waiting = new Map<string, Item[]>();
  /** Keys with waiting items and none in flight, oldest first. */
  readonly #ready = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  /** Calls in flight, by kind. */
  readonly #busy = new Map<string, number>();
  #pumping = false;
  #size = 0;

  constructor(options: KeyedQueueOptions<Item>) {
    this.#options = options;
  }

  /** Items that are not settled. */
  get size(): number {
    return this.#size;
  }

  push(item: Item): void {
    if (this.#stopping.signal.aborted) {
      this.#options.onDropped(item);
      return;
    }
    this.#size++;
    const queue = this.#waiting.get(item.key);
    if (queue) {
      queue.push(item);
    } else {
      this.#waiting.set(item.key, [item]);
      this.#ready.add(item.key);
    }
    this.#pumpSoon();
  }

  /** Finishes items in flight and drops the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopped'));
    await Promise.all(this.#inFlight);
    for (const queue of this.#waiting.values()) for (const item of queue) this.#options.onDropped(item);
    this.#waiting.clear();
    this.#size = 0;
  }

  /** Pumps after all items of this turn of the event loop have been pushed. */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    const inFlight = this.#inFlight;
    const busy = this.#busy;
    while (inFlight.size < this.#options.concurrency && !this.#stopping.signal.aborted) {
      const wants = this.#nextWants();
      if (!wants) return;
      const { kind } = wants;
      const run = this.#work(this.#nextBatch(wants));
      busy.set(kind, (busy.get(kind) ?? 0) + 1);
      inFlight.add(run);
      run.finally(() => {
        inFlight.delete(run);
        busy.set(kind, (busy.get(kind) ?? 1) - 1);
        this.#pump();
      });
    }
  }

  /** Returns what the oldest ready key needs, passing over keys that can wait for a fuller batch or have to for their limit. */
  #nextWants(): Wants | undefined {
    const counts = new Map<string, number>();
    for (const key of this.#ready) {
      const [first] = this.#waiting.get(key) ?? [];
      if (!first) continue;
      const wants = this.#options.batchOf(first);
      const calls = this.#busy.get(wants.kind) ?? 0;
      if (calls >= (wants.limit ?? Number.POSITIVE_INFINITY)) continue;
      if (wants.size === 1 || calls === 0) return wants;
      const count = (counts.get(wants.kind) ?? 0) + 1;
      if (count >= wants.size) return wants;
      counts.set(wants.kind, count);
    }
    return undefined;
  }

  /** Takes from the keys that are ready; they leave `#ready` until their items are settled. */
  #nextBatch(of: Wants): Item[] {
    const batch: Item[] = [];
    for (const key of this.#ready) {
      const queue = this.#waiting.get(key) ?? [];
      let taken = 0;
      for (const item of queue) {
        const wants = this.#options.batchOf(item);
        if (batch.length === of.size || wants.kind !== of.kind || wants.size !== of.size) break;
        batch.push(item);
        taken++;
      }
      if (taken === 0) continue;
      queue.splice(0, taken);
      this.#ready.delete(key);
      if (batch.length === of.size) break;
    }
    return batch;
  }

  async #work(batch: Item[]): Promise<void> {
    const outcomes = await this.#options.work(batch);
    const again = new Map<string, { items: Item[]; inMs: number }>();
    for (const key of new Set(batch.map((item) => item.key))) again.set(key, { items: [], inMs: 0 });
    batch.forEach((item, index) => {
      const outcome = outcomes[index] ?? 'settled';
      const retry = again.get(item.key);
      if (outcome === 'settled' || !retry) {
        this.#size--;
        this.#options.onSettled(item);
      } else {
        retry.items.push(item);
        retry.inMs = Math.max(retry.inMs, outcome.retryInMs);
      }
    });
    for (const [key, { items, inMs }] of again) this.#release(key, items, inMs);
  }

  /** Puts items to be retried back at the front; their key is ready at once or after its delay. */
  #release(key: string, again: readonly Item[], inMs: number): void {
    const queue = this.#waiting.get(key) ?? [];
    queue.unshift(...again);
    if (queue.length === 0) {
      this.#waiting.delete(key);
    } else if (again.length > 0 && inMs > 0) {
      this.#options.clock.sleep(inMs, this.#stopping.signal).then(
        () => {
          this.#ready.add(key);
          this.#pump();
        },
        () => undefined,
      );
    } else {
      this.#ready.add(key);
    }
  }
}
