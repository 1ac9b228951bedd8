import type { Tier } from '@casewatch/contracts/limits';
import type { QueuedLookup } from '../domain/agency-queue.ts';
import { createFairOrder, type Pace } from './fair-order.ts';
import { newAttempt, type Queued, type Wanted } from './wanted.ts';

export type WaitingCases = ReturnType<typeof createWaitingCases>;

/**
 * Creates the cases that are waited for, and the order of those who wait: a case stands there once for each of its lookups, goes at the
 * first turn, and none of its lookups waits for a turn while it is busy.
 */
export function createWaitingCases(options: {
  /** The share of the calls, 0 to 1, that scheduled checks are guaranteed, and by how many calls people may go first. */
  share: number;
  lead: number;
  weights: Readonly<Record<Tier, number>>;
  timeoutMs: number;
}) {
  const { weights, timeoutMs } = options;
  const order = createFairOrder(options);
  const cases = new Map<string, Wanted>();
  const caseOf = new Map<string, Wanted>();

  function waitForTurn({ id, requester, claimedAtMs, waitedMs }: Queued): void {
    const [participant, weight] =
      requester.source === 'user' ? [requester.userId, weights[requester.tier]] : ['', 1];
    order.enter({ id, participant, weight, joinedMs: claimedAtMs - waitedMs });
  }

  return {
    enter(lookup: QueuedLookup, claimedAtMs: number): { one: Wanted; queued: Queued } {
      const { id, receiptNumber } = lookup;
      const one = cases.get(receiptNumber) ?? {
        receiptNumber,
        lookups: new Map<string, Queued>(),
        isBusy: false,
        attempt: newAttempt(timeoutMs),
      };
      const queued = { ...lookup, claimedAtMs };
      cases.set(receiptNumber, one);
      one.lookups.set(id, queued);
      caseOf.set(id, one);
      if (!one.isBusy) waitForTurn(queued);
      return { one, queued };
    },
    /** The lookup whose turn it is, with its case, which is busy from now on; none while that is paced and not due. */
    next(pace: Pace): { one: Wanted; payer: Queued } | undefined {
      const id = order.next(pace);
      const one = id === undefined ? undefined : caseOf.get(id);
      const payer = id === undefined ? undefined : one?.lookups.get(id);
      if (!one || !payer) return undefined;
      this.setBusy(one);
      return { one, payer };
    },
    setBusy(one: Wanted): void {
      one.isBusy = true;
      for (const id of one.lookups.keys()) order.leave(id);
    },
    /** Has everyone who still waits for a busy case wait for a turn again. */
    putBack(one: Wanted): void {
      if (!one.isBusy) return;
      one.isBusy = false;
      for (const lookup of one.lookups.values()) waitForTurn(lookup);
      if (one.lookups.size === 0) cases.delete(one.receiptNumber);
    },
    forget(one: Wanted, lookupIds: Iterable<string>): void {
      for (const id of lookupIds) {
        order.leave(id);
        one.lookups.delete(id);
        caseOf.delete(id);
      }
      if (one.lookups.size === 0 && !one.isBusy) cases.delete(one.receiptNumber);
    },
    /** Those that no call is being made for. */
    *idle(): Generator<Wanted> {
      for (const one of cases.values()) if (!one.isBusy) yield one;
    },
    /** Cases that are waited for, and lookups that wait for a turn. */
    size: () => cases.size,
    waiting: () => order.size(),
  };
}
