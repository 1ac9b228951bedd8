import type { Clock } from '@casewatch/service-kit/runtime/clock';

/** Something that waits its turn behind the others of its key. */
export interface Queued {
  readonly key: string;
}

/** What became of an item: it is settled, or it must be tried again after a while, before the rest of its key. */
export type Outcome = 'settled' | { retryInMs: number };

/** With whom an item may share a call, and how many that takes. */
export interface Wants {
  readonly kind: string;
  readonly size: number;
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
  /** Called for what was still waiting when the queue stopped. */
  onDropped(item: Item): void;
}

/**
 * Works through items in order per key, several keys side by side. A key that waits for its retry holds no
 * slot, so that any number of failing keys leaves the others alone. What comes while a batch of its kind is under
 * way gathers until that is done or there is a full batch: under load batches are large, without it nobody waits.
 */
export function createKeyedQueue<Item extends Queued>(options: KeyedQueueOptions<Item>) {
  const waiting = new Map<string, Item[]>();
  /** Keys with something to do and nothing under way, oldest first. */
  const ready = new Set<string>();
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  /** Batches under way, by kind. */
  const busy = new Map<string, number>();
  let pumping = false;
  let size = 0;

  function push(item: Item): void {
    if (stopping.signal.aborted) {
      options.onDropped(item);
      return;
    }
    size++;
    const queue = waiting.get(item.key);
    if (queue) {
      queue.push(item);
    } else {
      waiting.set(item.key, [item]);
      ready.add(item.key);
    }
    pumpSoon();
  }

  /** When all that comes in one go is here. */
  function pumpSoon(): void {
    if (pumping) return;
    pumping = true;
    setImmediate(() => {
      pumping = false;
      pump();
    });
  }

  function pump(): void {
    while (underWay.size < options.concurrency && !stopping.signal.aborted) {
      const wants = nextWants();
      if (!wants) return;
      const { kind } = wants;
      const run = work(nextBatch(wants));
      if (wants.size > 1) busy.set(kind, (busy.get(kind) ?? 0) + 1);
      underWay.add(run);
      run.finally(() => {
        underWay.delete(run);
        if (wants.size > 1) busy.set(kind, (busy.get(kind) ?? 1) - 1);
        pump();
      });
    }
  }

  /** What the oldest key wants whose turn it is: not one that can wait for a fuller batch. */
  function nextWants(): Wants | undefined {
    const counts = new Map<string, number>();
    for (const key of ready) {
      const [first] = waiting.get(key) ?? [];
      if (!first) continue;
      const wants = options.batchOf(first);
      if (wants.size === 1 || !busy.get(wants.kind)) return wants;
      const count = (counts.get(wants.kind) ?? 0) + 1;
      if (count >= wants.size) return wants;
      counts.set(wants.kind, count);
    }
    return undefined;
  }

  /** Takes from the keys that are ready; they leave `ready` until their items are settled. */
  function nextBatch(of: Wants): Item[] {
    const batch: Item[] = [];
    for (const key of ready) {
      const queue = waiting.get(key) ?? [];
      let taken = 0;
      for (const item of queue) {
        const wants = options.batchOf(item);
        if (batch.length === of.size || wants.kind !== of.kind || wants.size !== of.size) break;
        batch.push(item);
        taken++;
      }
      if (taken === 0) continue;
      queue.splice(0, taken);
      ready.delete(key);
      if (batch.length === of.size) break;
    }
    return batch;
  }

  async function work(batch: Item[]): Promise<void> {
    const outcomes = await options.work(batch);
    const again = new Map<string, { items: Item[]; inMs: number }>();
    for (const key of new Set(batch.map((item) => item.key))) again.set(key, { items: [], inMs: 0 });
    batch.forEach((item, index) => {
      const outcome = outcomes[index] ?? 'settled';
      const retry = again.get(item.key);
      if (outcome === 'settled' || !retry) {
        size--;
        options.onSettled(item);
      } else {
        retry.items.push(item);
        retry.inMs = Math.max(retry.inMs, outcome.retryInMs);
      }
    });
    for (const [key, { items, inMs }] of again) release(key, items, inMs);
  }

  /** Puts what must be tried again back to the front; the key is ready at once or after its pause. */
  function release(key: string, again: readonly Item[], inMs: number): void {
    const queue = waiting.get(key) ?? [];
    queue.unshift(...again);
    if (queue.length === 0) {
      waiting.delete(key);
    } else if (again.length > 0 && inMs > 0) {
      options.clock.sleep(inMs, stopping.signal).then(
        () => {
          ready.add(key);
          pump();
        },
        () => undefined,
      );
    } else {
      ready.add(key);
    }
  }

  return {
    push,
    /** Items that are not settled. */
    size: () => size,
    /** Finishes what is under way and drops the rest. */
    async stop(): Promise<void> {
      stopping.abort(new Error('stopped'));
      await Promise.all(underWay);
      for (const queue of waiting.values()) for (const item of queue) options.onDropped(item);
      waiting.clear();
      size = 0;
    },
  };
}
