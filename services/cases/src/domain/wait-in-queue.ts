import { createGatherer } from '@casewatch/service-kit/runtime/gatherer';
import type { Signal } from '@casewatch/service-kit/runtime/signal';
import { NO_CALLER } from './agency-failure.ts';
import type { AgencyQueue, Joining, Outcome } from './agency-queue.ts';

/** How often to poll for outcomes while lookups wait; a hint from this process's own caller polls at once. */
const LOOK_EVERY_MS = 25;
/** How often to check for rows that were deleted without an outcome. */
const LOOK_FOR_LOST_MS = 1_000;
/** When and how often to try to take out what has failed; after that the caller sweeps it. */
const RETRY = { afterMs: 500, times: 120 };
const NOT_CALLED: Outcome = { kind: 'failure', failure: NO_CALLER };
const LATE: Outcome = { kind: 'failure', failure: { kind: 'timeout', detail: 'no answer of the caller' } };

export interface QueueWaitsOptions {
  queue: AgencyQueue;
  /** Notified when lookups have joined. */
  joined: Pick<Signal, 'notify'>;
  /** Notified when the caller of this process has ended some. */
  ended: Pick<Signal, 'wait'>;
  /** How long the caller takes for an answer and for storing it. */
  answerMs: number;
}

/**
 * Returns a function that joins the queue and waits until the caller has ended the lookup; `no-turn` when it left without a call.
 * @throws where the queue cannot be read
 */
export function createQueueWaits({ queue, joined, ended, answerMs }: QueueWaitsOptions) {
  const waiting = new Map<string, PromiseWithResolvers<Outcome | 'no-turn'>>();
  /** Those of them whose rows were written. */
  const joinedIds = new Set<string>();
  let lookedForLostMs = 0;
  /** Have failed, and may still be in the queue. */
  const abandoned = new Set<string>();
  let looking = false;

  const join = createGatherer(async (lookups: readonly Joining[]) => {
    await queue.join(lookups);
    joined.notify();
  });

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    lookedForLostMs = performance.now();
    for (let tries = 1; waiting.size + abandoned.size > 0; tries += 1) {
      if (waiting.size > 0) tries = 0;
      else if (tries > RETRY.times) abandoned.clear();
      await takeEnded();
      await untilNextLook();
    }
    looking = false;
  }

  async function takeEnded(): Promise<void> {
    try {
      if (abandoned.size > 0) await abandonAll();
      if (waiting.size === 0) return;
      for (const { lookupId, outcome, hadTurn, isCalled } of await queue.take(answerMs, [
        ...waiting.keys(),
      ])) {
        const withoutOutcome = hadTurn ? LATE : isCalled ? 'no-turn' : NOT_CALLED;
        settle(lookupId, outcome ?? withoutOutcome);
      }
      await settleLost();
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      joinedIds.clear();
    }
  }

  /** Ends lookups whose row was deleted: with its user, or with the whole table, which is unlogged, when the database failed over. */
  async function settleLost(): Promise<void> {
    if (joinedIds.size === 0 || performance.now() - lookedForLostMs < LOOK_FOR_LOST_MS) return;
    lookedForLostMs = performance.now();
    for (const lookupId of await queue.lost([...joinedIds])) settle(lookupId, NOT_CALLED);
  }

  /** Removes failed lookups from the queue: the agency must not be called for them, nor a second row logged. */
  async function abandonAll(): Promise<void> {
    const lookupIds = [...abandoned];
    await queue.abandon(lookupIds);
    for (const id of lookupIds) abandoned.delete(id);
  }

  function settle(lookupId: string, outcome: Outcome | 'no-turn'): void {
    waiting.get(lookupId)?.resolve(outcome);
    waiting.delete(lookupId);
    joinedIds.delete(lookupId);
  }

  /** Real time: the database measures the waits. */
  async function untilNextLook(): Promise<void> {
    if (waiting.size + abandoned.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waiting.size > 0 ? LOOK_EVERY_MS : RETRY.afterMs);
    if (waiting.size === 0) timer.unref();
    await ended.wait(promise);
    clearTimeout(timer);
  }

  async function leave(lookupId: string): Promise<void> {
    if (await queue.leave(lookupId)) settle(lookupId, 'no-turn');
  }

  return async (joining: Joining): Promise<Outcome | 'no-turn'> => {
    const { lookup } = joining.requester;
    const outcome = Promise.withResolvers<Outcome | 'no-turn'>();
    // Where the queue cannot be read the wait below ends, too.
    const onAbort = () => void leave(lookup.id).catch(() => undefined);
    waiting.set(lookup.id, outcome);
    const begin = async () => {
      await join(joining);
      if (waiting.has(lookup.id)) joinedIds.add(lookup.id);
      if (lookup.signal?.aborted) onAbort();
      lookup.signal?.addEventListener('abort', onAbort, { once: true });
      void look();
    };
    try {
      // Both at once: the outcome may be rejected, for all that wait, before this one has joined.
      const [ended] = await Promise.all([outcome.promise, begin()]);
      return ended;
    } catch (error) {
      abandoned.add(lookup.id);
      void look();
      throw error;
    } finally {
      waiting.delete(lookup.id);
      joinedIds.delete(lookup.id);
      lookup.signal?.removeEventListener('abort', onAbort);
    }
  };
}
