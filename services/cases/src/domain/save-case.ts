import { randomUUID } from 'node:crypto';
import type { EnteredDate } from '@casewatch/contracts/case-dates';
import type { SavedCase } from '@casewatch/contracts/cases';
import { FREE_SAVED_CASES_MAX, type MonitoringFrequency } from '@casewatch/contracts/limits';
import type { BulkOutcome } from '@casewatch/contracts/workspace';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Caller } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { newDate } from './case-dates.ts';
import { isMonitored, pauseOf } from './monitoring-pause.ts';
import type { SavedCaseStore } from './saved-case-store.ts';

export interface SaveCaseInput {
  receiptNumber: string;
  nickname?: string | null | undefined;
  tags?: string[] | undefined;
  dates?: readonly EnteredDate[] | undefined;
  monitoringFrequency: MonitoringFrequency;
}

interface SaveCaseDeps {
  savedCases: SavedCaseStore;
  clock: Clock;
}

/**
 * Saves a case for the caller. The free limit holds for saves at the same time too.
 * @throws AppError CASE_ALREADY_SAVED, SAVED_CASE_LIMIT, PRO_REQUIRED, or SIGNED_OUT when the account is deleted
 */
export async function saveCase(deps: SaveCaseDeps, caller: Caller, input: SaveCaseInput): Promise<SavedCase> {
  const { refused, saved } = await saveAll(deps, caller, [input]);
  const [one] = saved;
  if (one) return one;
  throw refused.get(input.receiptNumber) ?? new AppError('CASE_ALREADY_SAVED');
}

/**
 * Saves many cases in one transaction: an outcome for each distinct receipt number, in order. One that is saved
 * already stays as it is. The list, newest first, has the new ones in their order, beneath `after`.
 * @throws AppError PRO_REQUIRED, or SIGNED_OUT when the account is deleted
 */
export async function importSavedCases(
  deps: SaveCaseDeps,
  caller: Caller,
  inputs: readonly SaveCaseInput[],
  after?: string,
): Promise<BulkOutcome[]> {
  const distinct = inputs.filter(
    (one, index) => inputs.findIndex(({ receiptNumber }) => receiptNumber === one.receiptNumber) === index,
  );
  const { refused, saved } = await saveAll(deps, caller, distinct, after);
  const added = new Set(saved.map(({ receiptNumber }) => receiptNumber));
  return distinct.map(({ receiptNumber }) => {
    const refusal = refused.get(receiptNumber);
    if (refusal) return { receiptNumber, outcome: 'refused', ...refusal.body };
    return { receiptNumber, outcome: added.has(receiptNumber) ? 'changed' : 'unchanged' };
  });
}

/** A case that was removed of late gets back the nickname, the tags and the dates that it is given no others for. */
async function saveAll(
  { savedCases, clock }: SaveCaseDeps,
  caller: Caller,
  inputs: readonly SaveCaseInput[],
  after?: string,
) {
  const isPro = caller.tier === 'pro';
  if (!isPro && inputs.some(({ monitoringFrequency }) => monitoringFrequency !== 'none')) {
    throw new AppError('PRO_REQUIRED', 'pro-monitoring');
  }
  return savedCases.forUser(caller.userId, async (own) => {
    if (await own.ownerIsDeleted()) throw accountDeleted();
    const nowMs = clock.nowMs();
    const receiptNumbers = inputs.map(({ receiptNumber }) => receiptNumber);
    const known = await own.savedOf(receiptNumbers);
    const missing = inputs.filter(({ receiptNumber }) => !known.has(receiptNumber));
    const room = isPro ? missing.length : Math.max(0, FREE_SAVED_CASES_MAX - (await own.count()));
    const removed = await own.findRemoved(missing.slice(0, room).map(({ receiptNumber }) => receiptNumber));
    const before = new Map(removed.map((one) => [one.receiptNumber, one]));
    const pausedAt = await pauseOf(own, caller, nowMs);
    const aboveMs = after === undefined ? undefined : (await own.savedOf([after])).get(after);
    const newestMs = aboveMs === undefined ? nowMs : aboveMs - 1;
    const saved = await own.add(
      missing.slice(0, room).map(({ receiptNumber, nickname, tags, dates, monitoringFrequency }, nth) => ({
        receiptNumber,
        nickname:
          nickname === undefined ? (before.get(receiptNumber)?.nickname ?? null) : nicknameOf(nickname),
        tags: tags ?? before.get(receiptNumber)?.tags ?? [],
        dates:
          dates?.map((entered) => newDate(randomUUID(), entered, nowMs)) ??
          before.get(receiptNumber)?.dates ??
          [],
        archivedAt: null,
        monitoringFrequency,
        monitoringPausedAt: pausedAt(monitoringFrequency),
        // A millisecond each: the list is in the order of the times.
        createdAtMs: newestMs - nth,
      })),
    );
    await own.publishWatches(saved.filter(isMonitored).map((one) => one.receiptNumber));
    const refused = new Map(
      missing.slice(room).map(({ receiptNumber }) => [receiptNumber, new AppError('SAVED_CASE_LIMIT')]),
    );
    return { saved, refused };
  });
}

export function accountDeleted(): AppError {
  return new AppError('SIGNED_OUT', 'account-deleted');
}

/** Returns the nickname; an empty one is none. */
export function nicknameOf(given: string | null | undefined): string | null {
  return given?.trim() || null;
}
