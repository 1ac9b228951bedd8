import { CASES_PER_OVERVIEW, type CaseOverview } from '@casewatch/contracts/case-overviews';
import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { AgencySpanish } from '@casewatch/contracts/status-names';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Channel } from './choose-deliveries.ts';
import type { DeliveryLog, DueDelivery } from './delivery-log.ts';
import type { DigestCases } from './digest-cases.ts';
import { type DigestKind, type DigestTime, digestsOf, nextDigest } from './digest-schedule.ts';

/** A digest that is to be sent. */
export interface DueDigest extends DueDelivery {
  readonly userId: string;
  readonly kind: DigestKind;
  /** The local date that it is for. */
  readonly period: string;
  readonly settings: NotificationSettings;
}

/** A change in a digest. */
export interface DigestChange {
  readonly digestId: string;
  readonly notificationId: string;
  readonly receiptNumber: string;
  readonly oldStatus: string | null;
  readonly newStatus: string;
  /** Of the case: another one where a newer change has been reported before. */
  readonly newestStatus: string;
  readonly createdAt: Date;
}

/** A change that its digest does not report yet. */
export interface HeldChange {
  readonly digest: Pick<DueDigest, 'id' | 'userId' | 'kind' | 'settings'>;
  readonly notificationId: string;
}

/** The changes in digests that are to be sent. */
export interface DigestChanges {
  /** Those of all these digests, in the order of the changes. */
  changesOf(digests: readonly Pick<DueDigest, 'id'>[]): Promise<DigestChange[]>;
  /** Takes changes out of digests that are still to be sent, for the next one of their users, in one transaction. */
  putBack(held: readonly HeldChange[], nowMs: number): Promise<void>;
}

export interface DigestLog extends DeliveryLog<DueDigest>, DigestChanges {}

export interface ScheduledDigest {
  readonly userId: string;
  readonly kind: DigestKind;
  readonly nextAtMs: number;
  readonly settings: NotificationSettings;
}

export interface Advance extends ScheduledDigest {
  /** Whether a digest is made, for the period of `next`. */
  readonly makes: DigestTime | undefined;
  /** When the one after it is due. */
  readonly thenMs: number;
  /** The user wants no more of this kind: the schedule ends with the digest of what waits. */
  readonly isLast: boolean;
}

/** When the digests of a channel are due. */
export interface DigestSchedules {
  readonly channel: Channel;
  /** Those that are due, and those that are later than any schedule goes: a clock was wrong when they were made. */
  listDue(nowMs: number, latestMs: number, limit: number): Promise<ScheduledDigest[]>;
  /**
   * Makes the digests of what waits for them and moves the schedules, in one transaction; one that another process has moved
   * is left alone, and a period that has its digest gets no other. Resolves to how many were made.
   */
  advance(advances: readonly Advance[], nowMs: number): Promise<number>;
}

/** Changes that a digest has room for: the others wait for the next one. */
export const CHANGES_PER_DIGEST = 1_000;
/** A weekly digest is due within eight days, whatever the clocks do. */
const MAX_MS = 8 * 24 * 3_600_000;
const RETRY_MS = 3_600_000;

/**
 * Runs one pass: makes a page of the digests that are due. After a pause there is one for all that was missed. A schedule that
 * fails is planned again in an hour, without a digest: its changes stay for the next one.
 */
export async function makeDueDigests(
  schedules: DigestSchedules,
  nowMs: number,
  limit: number,
  logger: Logger,
): Promise<{ found: number; made: number }> {
  const { channel } = schedules;
  const due = await schedules.listDue(nowMs, nowMs + MAX_MS, limit);
  const advances = due.map((one) => {
    try {
      return advanceOf(one, channel, nowMs);
    } catch (error) {
      const { userId, kind } = one;
      logger.error({ err: error, userId, kind, channel }, 'make digests: schedule failed, will retry');
      return { ...one, makes: undefined, thenMs: nowMs + RETRY_MS, isLast: false };
    }
  });
  return { found: due.length, made: await schedules.advance(advances, nowMs) };
}

function advanceOf(one: ScheduledDigest, channel: Channel, nowMs: number): Advance {
  return {
    ...one,
    makes: latestDigest(one, nowMs),
    thenMs: nextDigest(one.kind, nowMs, one.settings).dueMs,
    isLast: !digestsOf(one.settings, channel).includes(one.kind),
  };
}

/** The last one that has been due by now, if any: those before it were missed. */
function latestDigest({ kind, settings, nextAtMs }: ScheduledDigest, nowMs: number): DigestTime | undefined {
  const from = Math.max(nextAtMs - 1, nowMs - MAX_MS);
  let latest: DigestTime | undefined;
  let next = nextDigest(kind, from, settings);
  while (next.dueMs <= nowMs) {
    latest = next;
    next = nextDigest(kind, next.dueMs, settings);
  }
  return latest;
}

export interface ChangedCase {
  /** The newest of its notifications. */
  readonly notificationId: string;
  readonly receiptNumber: string;
  readonly nickname: string | null;
  readonly formType: string | null;
  readonly oldStatus: string | null;
  /** The statuses that it went through on the way, oldest first. */
  readonly between: readonly string[];
  readonly newStatus: string;
  readonly own?: AgencySpanish | undefined;
}

export interface UnchangedCase extends AgencySpanish {
  readonly receiptNumber: string;
  readonly nickname: string | null;
  readonly status: string;
  /** Undefined when it is not known since when. */
  readonly days: number | undefined;
  /** The agency gives no day: they count since Casewatch first saw the status. */
  readonly isAtLeast: boolean;
}

export interface DigestContent {
  readonly changed: readonly ChangedCase[];
  /** There may be others: a digest reads a limited number of changes. */
  readonly hasMoreChanged: boolean;
  readonly unchanged: readonly UnchangedCase[];
  /** There may be others: cases names a limited number per user. */
  readonly hasMoreUnchanged: boolean;
}

/** When a digest is written, and in whose time zone; null: UTC. */
interface DigestMoment {
  readonly nowMs: number;
  readonly timeZone: string | null;
}

/**
 * Returns what a digest says of the changes that it reports, which come in their order: a case that changed more than once is one line,
 * from its first status to the newest that is known with those between. Where changes wait for the next digest, it is not known which cases
 * have not changed.
 */
export function digestContent(
  changes: readonly DigestChange[],
  { checked, others }: DigestCases,
  at: DigestMoment,
): DigestContent {
  const known = new Map([...others, ...checked].map((one) => [one.receiptNumber, one]));
  const byCase = Map.groupBy(changes, ({ receiptNumber }) => receiptNumber);
  const changed = [...byCase].flatMap(([receiptNumber, all]) => {
    const [first, last] = [all[0], all.at(-1)];
    if (!first || !last) return [];
    const own = known.get(receiptNumber);
    const { nickname = null, formType = null } = own ?? {};
    const { newestStatus: newStatus, notificationId } = last;
    const between = (newStatus === last.newStatus ? all.slice(0, -1) : all).map((one) => one.newStatus);
    return [
      {
        notificationId,
        receiptNumber,
        nickname,
        formType,
        oldStatus: first.oldStatus,
        between,
        newStatus,
        own,
      },
    ];
  });
  const hasMoreChanged = changes.length >= CHANGES_PER_DIGEST;
  const unchanged = (hasMoreChanged ? [] : checked).flatMap(
    ({ receiptNumber, nickname, status, statusEs, ...since }) => {
      if (status === null || byCase.has(receiptNumber)) return [];
      const isAtLeast = since.statusDate === undefined;
      return [{ receiptNumber, nickname, status, statusEs, days: daysSince(since, at), isAtLeast }];
    },
  );
  return { changed, hasMoreChanged, unchanged, hasMoreUnchanged: checked.length >= CASES_PER_OVERVIEW };
}

/** By the calendar of the reader, from the day that the agency gives, as the page of the case counts. */
function daysSince(
  { statusDate, statusChangedAt }: Pick<CaseOverview, 'statusDate' | 'statusChangedAt'>,
  { nowMs, timeZone }: DigestMoment,
): number | undefined {
  if (statusChangedAt === null) return undefined;
  const dayOf = (atMs: number) =>
    Temporal.Instant.fromEpochMilliseconds(atMs)
      .toZonedDateTimeISO(timeZone ?? 'UTC')
      .toPlainDate();
  const since =
    statusDate === undefined ? dayOf(Date.parse(statusChangedAt)) : Temporal.PlainDate.from(statusDate);
  return Math.max(0, since.until(dayOf(nowMs)).days);
}
