import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { casesOfDigests } from './digest-cases.ts';
import {
  CHANGES_PER_DIGEST,
  type DigestChange,
  type DigestChanges,
  type DigestContent,
  type DueDigest,
  digestContent,
} from './digests.ts';
import { holdChanges } from './hold-changes.ts';
import type { Prepared } from './send-due-deliveries.ts';

/** What the users of a channel want of their digests. */
interface DigestRules<Due> {
  isReported(digest: Due, change: DigestChange): boolean;
  /** Whether it is sent without changes, too. */
  isOverview(digest: Due): boolean;
  /** Why a digest is not sent that would say nothing. */
  reasonOf(digest: Due): string;
}

/** What a digest says. `isFull`: there was no room in it for more changes. */
export type JudgedContent = DigestContent & { readonly isFull: boolean };

/**
 * Decides what digests that are due say: cases knows where they stand, and changes of those that are snoozed or removed are put back
 * for the next digest.
 */
export async function judgeDigests<Due extends DueDigest>(
  parts: { log: DigestChanges; services: ServiceClient; clock: Clock; logger: Logger },
  due: readonly Due[],
  { isReported, isOverview, reasonOf }: DigestRules<Due>,
): Promise<Prepared<Due, JudgedContent>> {
  const drop = (digest: Due) => ({ due: digest, reason: reasonOf(digest) });
  const taken = Map.groupBy(await parts.log.changesOf(due), ({ digestId }) => digestId);
  const changesOf = ({ id }: Due) => taken.get(id) ?? [];
  const isFilled = (digest: Due) => changesOf(digest).length > 0 || isOverview(digest);
  const filled = due.filter(isFilled);
  const empty = due.filter((digest) => !isFilled(digest)).map(drop);
  if (filled.length === 0) return { ready: [], dropped: empty };
  const cases = await casesOfDigests(
    parts,
    filled.map(({ userId }) => userId),
    filled.flatMap((digest) =>
      changesOf(digest).map(({ receiptNumber }) => ({ userId: digest.userId, receiptNumber })),
    ),
  );
  if (!cases) return { ready: [], dropped: empty, unavailable: 'cases' };
  const nowMs = parts.clock.nowMs();
  const held = await holdChanges(
    parts.log,
    filled.map((digest) => ({ digest, changes: changesOf(digest), cases: cases(digest.userId) })),
    nowMs,
  );
  const judged = held.map(({ digest, changes, cases: known }) => {
    const reported = changes.filter((change) => isReported(digest, change));
    const content = digestContent(reported, known, { nowMs, timeZone: digest.settings.timeZone });
    return { due: digest, message: { ...content, isFull: changesOf(digest).length >= CHANGES_PER_DIGEST } };
  });
  const saysSomething = ({ due: digest, message }: (typeof judged)[number]) =>
    message.changed.length > 0 || isOverview(digest);
  const silent = judged.filter((one) => !saysSomething(one)).map((one) => drop(one.due));
  return { ready: judged.filter(saysSomething), dropped: [...empty, ...silent] };
}
