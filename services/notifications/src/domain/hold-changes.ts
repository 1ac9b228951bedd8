import { REMOVED_CASES_DAYS, SNOOZE_DAYS_MAX } from '@casewatch/contracts/limits';
import { needsAction } from '@casewatch/contracts/status-guide';
import type { DigestCases } from './digest-cases.ts';
import type { DigestChange, DigestChanges, HeldChange } from './digests.ts';

/** As long as a case can be snoozed, removed at its end and restored: until then the change of a removed case waits. */
const HELD_MAX_MS = (SNOOZE_DAYS_MAX + REMOVED_CASES_DAYS) * 24 * 3_600_000;

/** A digest that is about to be sent, with its changes and what cases knows of them. */
export interface FilledDigest<Digest> {
  readonly digest: Digest;
  readonly changes: readonly DigestChange[];
  readonly cases: DigestCases;
}

/**
 * Resolves to the digests with the changes that they report now. Those of cases that are snoozed, or removed and still to be restored,
 * have been put back by then and wait for the next digest, except what needs action.
 */
export async function holdChanges<Digest extends HeldChange['digest']>(
  log: DigestChanges,
  digests: readonly FilledDigest<Digest>[],
  nowMs: number,
): Promise<FilledDigest<Digest>[]> {
  const judged = digests.map((one) => {
    const known = new Map([...one.cases.others, ...one.cases.checked].map((own) => [own.receiptNumber, own]));
    const fateOf = (change: DigestChange) => {
      if (needsAction(change.newStatus)) return 'reported';
      const found = known.get(change.receiptNumber);
      if (!found) return nowMs - change.createdAt.getTime() > HELD_MAX_MS ? 'dropped' : 'held';
      return Date.parse(found.snoozedUntil ?? '') > nowMs ? 'held' : 'reported';
    };
    return { ...one, fates: Map.groupBy(one.changes, fateOf) };
  });
  await log.putBack(
    judged.flatMap(({ digest, fates }) =>
      (fates.get('held') ?? []).map(({ notificationId }) => ({ digest, notificationId })),
    ),
    nowMs,
  );
  return judged.map(({ digest, fates, cases }) => ({ digest, changes: fates.get('reported') ?? [], cases }));
}
