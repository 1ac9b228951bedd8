import type { SavedCase } from '@casewatch/contracts/cases';
import { type MonitoringFrequency, SNOOZE_DAYS_MAX } from '@casewatch/contracts/limits';
import { AppError, invalidField } from '@casewatch/service-kit/errors/app-error';
import type { Caller } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { isOtherWatch, pauseOf } from './monitoring-pause.ts';
import { notSaved } from './removed-cases.ts';
import { nicknameOf } from './save-case.ts';
import type { SavedCaseStore } from './saved-case-store.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Changes what is given and leaves the rest.
 * @throws AppError SAVED_CASE_NOT_FOUND, PRO_REQUIRED, VALIDATION for a snooze that is too long
 */
export async function changeSavedCase(
  { savedCases, clock }: { savedCases: SavedCaseStore; clock: Clock },
  caller: Caller,
  receiptNumber: string,
  given: {
    nickname?: string | null | undefined;
    monitoringFrequency?: MonitoringFrequency | undefined;
    tags?: string[] | undefined;
    archived?: boolean | undefined;
    snoozedUntil?: string | null | undefined;
  },
): Promise<SavedCase> {
  const { nickname, monitoringFrequency, tags, archived, snoozedUntil } = given;
  if (caller.tier !== 'pro' && monitoringFrequency !== undefined && monitoringFrequency !== 'none') {
    throw new AppError('PRO_REQUIRED', 'pro-monitoring');
  }
  return savedCases.forUser(caller.userId, async (own) => {
    const [before] = await own.find([receiptNumber]);
    if (!before) throw notSaved();
    const nowMs = clock.nowMs();
    if (isTooLong(snoozedUntil, nowMs)) throw snoozeTooLong();
    const frequency = monitoringFrequency ?? before.monitoringFrequency;
    const isOtherFrequency = frequency !== before.monitoringFrequency;
    const pausedAt = isOtherFrequency
      ? (await pauseOf(own, caller, nowMs))(frequency)
      : before.monitoringPausedAt;
    const archivedAt = before.archivedAt ?? new Date(nowMs).toISOString();
    const [after] = await own.change([
      {
        ...before,
        ...(nickname === undefined ? {} : { nickname: nicknameOf(nickname) }),
        ...(tags === undefined ? {} : { tags }),
        ...(archived === undefined ? {} : { archivedAt: archived ? archivedAt : null }),
        ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
        monitoringFrequency: frequency,
        monitoringPausedAt: pausedAt,
      },
    ]);
    if (!after) throw notSaved();
    if (isOtherWatch(before, after)) await own.publishWatches([receiptNumber]);
    return after;
  });
}

export function isTooLong(snoozedUntil: string | null | undefined, nowMs: number): boolean {
  return !!snoozedUntil && Date.parse(snoozedUntil) > nowMs + SNOOZE_DAYS_MAX * DAY_MS;
}

export function snoozeTooLong(): AppError {
  return invalidField('snoozedUntil', 'snooze-long');
}
