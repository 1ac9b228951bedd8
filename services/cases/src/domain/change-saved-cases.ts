import type { SavedCase } from '@casewatch/contracts/cases';
import { FREE_SAVED_CASES_MAX, type MonitoringFrequency, TAGS_MAX } from '@casewatch/contracts/limits';
import { distinctTags, tagKey } from '@casewatch/contracts/tag-spelling';
import type { BulkChange, BulkOutcome } from '@casewatch/contracts/workspace';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Caller } from '@casewatch/service-kit/http/route';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { isTooLong, snoozeTooLong } from './change-saved-case.ts';
import { isMonitored, isOtherWatch, pauseOf } from './monitoring-pause.ts';
import { notSaved } from './removed-cases.ts';
import { accountDeleted } from './save-case.ts';
import type { CaseSettings, OwnSavedCases, SavedCaseStore } from './saved-case-store.ts';

type Outcome = BulkOutcome['outcome'] | AppError;
type Outcomes = Map<string, Outcome>;

/**
 * Changes many saved cases alike in one transaction: an outcome for each distinct receipt number, in order. What is
 * so already is left alone, so that a request can be sent again.
 * @throws AppError PRO_REQUIRED, or SIGNED_OUT when the account is deleted
 */
export async function changeSavedCases(
  { savedCases, clock }: { savedCases: SavedCaseStore; clock: Clock },
  caller: Caller,
  change: BulkChange,
): Promise<BulkOutcome[]> {
  const receiptNumbers = [...new Set(change.receiptNumbers)];
  const nowMs = clock.nowMs();
  const outcomes = await savedCases.forUser(caller.userId, async (own) => {
    if (await own.ownerIsDeleted()) throw accountDeleted();
    if (!(await canChange(own, caller, change))) throw new AppError('PRO_REQUIRED', 'pro-monitoring');
    if (change.action === 'restore') return restore(own, receiptNumbers, nowMs, caller);
    const saved = new Map((await own.find(receiptNumbers)).map((one) => [one.receiptNumber, one]));
    if (change.action === 'remove') return remove(own, receiptNumbers, saved);
    const pausedAt = await pauseOf(own, caller, nowMs);
    return changeSettings(own, receiptNumbers, saved, (before) =>
      settingsAfter(before, change, { nowMs, pausedAt }),
    );
  });
  return toBulkOutcomes(receiptNumbers, outcomes);
}

export function toBulkOutcomes(receiptNumbers: readonly string[], outcomes: Outcomes): BulkOutcome[] {
  return receiptNumbers.map((receiptNumber) => {
    const outcome = outcomes.get(receiptNumber) ?? notSaved();
    if (!(outcome instanceof AppError)) return { receiptNumber, outcome };
    return { receiptNumber, outcome: 'refused', ...outcome.body };
  });
}

/** Returns whether the plan allows the change. A plan that has ended allows a frequency that is stored paused. */
async function canChange(own: OwnSavedCases, { tier }: Caller, change: BulkChange): Promise<boolean> {
  if (tier === 'pro' || change.action !== 'setFrequency' || change.monitoringFrequency === 'none')
    return true;
  return change.evenIfPaused === true && (await own.planTier()) !== undefined;
}

type Saved = ReadonlyMap<string, SavedCase>;

async function changeSettings(
  own: OwnSavedCases,
  receiptNumbers: readonly string[],
  saved: Saved,
  after: (before: SavedCase) => CaseSettings | Outcome,
): Promise<Outcomes> {
  const outcomes: Outcomes = new Map();
  const changes: CaseSettings[] = [];
  for (const receiptNumber of receiptNumbers) {
    const before = saved.get(receiptNumber);
    if (!before) continue;
    const result = after(before);
    const isChange = typeof result === 'object' && !(result instanceof AppError);
    if (isChange) changes.push(result);
    outcomes.set(receiptNumber, isChange ? 'changed' : result);
  }
  await own.change(changes);
  await own.publishWatches(
    changes.flatMap((change) => {
      const before = saved.get(change.receiptNumber);
      return before && isOtherWatch(before, change) ? change.receiptNumber : [];
    }),
  );
  return outcomes;
}

function settingsAfter(
  before: SavedCase,
  change: BulkChange,
  { nowMs, pausedAt }: { nowMs: number; pausedAt: (frequency: MonitoringFrequency) => string | null },
): CaseSettings | Outcome {
  switch (change.action) {
    case 'setFrequency': {
      const { monitoringFrequency } = change;
      if (monitoringFrequency === before.monitoringFrequency) return 'unchanged';
      return {
        ...before,
        monitoringFrequency,
        monitoringPausedAt: pausedAt(monitoringFrequency),
      };
    }
    case 'addTags': {
      const tags = distinctTags([...before.tags, ...change.tags]);
      if (tags.length === before.tags.length) return 'unchanged';
      if (tags.length > TAGS_MAX) return tooManyTags();
      return { ...before, tags };
    }
    case 'removeTags': {
      const removed = new Set(change.tags.map(tagKey));
      const tags = before.tags.filter((tag) => !removed.has(tagKey(tag)));
      return tags.length === before.tags.length ? 'unchanged' : { ...before, tags };
    }
    case 'snooze': {
      const { snoozedUntil } = change;
      if (snoozedUntil === (before.snoozedUntil ?? null)) return 'unchanged';
      return isTooLong(snoozedUntil, nowMs) ? snoozeTooLong() : { ...before, snoozedUntil };
    }
    case 'archive':
      return before.archivedAt ? 'unchanged' : { ...before, archivedAt: new Date(nowMs).toISOString() };
    default:
      return before.archivedAt ? { ...before, archivedAt: null } : 'unchanged';
  }
}

async function remove(
  own: OwnSavedCases,
  receiptNumbers: readonly string[],
  saved: Saved,
): Promise<Outcomes> {
  const missing = receiptNumbers.filter((receiptNumber) => !saved.has(receiptNumber));
  const removedBefore = await own.findRemoved(missing);
  await own.remove([...saved.keys()]);
  await own.publishWatches([...saved.values()].filter(isMonitored).map((one) => one.receiptNumber));
  return new Map<string, Outcome>([
    ...[...saved.keys()].map((receiptNumber) => [receiptNumber, 'changed'] as const),
    ...removedBefore.map(({ receiptNumber }) => [receiptNumber, 'unchanged'] as const),
  ]);
}

/** Monitoring comes back as it was chosen: paused, where the plan has ended since. */
async function restore(
  own: OwnSavedCases,
  receiptNumbers: readonly string[],
  nowMs: number,
  caller: Caller,
): Promise<Outcomes> {
  const isPro = caller.tier === 'pro';
  const pausedAt = await pauseOf(own, caller, nowMs);
  const saved = await own.savedOf(receiptNumbers);
  const outcomes: Outcomes = new Map([...saved.keys()].map((receiptNumber) => [receiptNumber, 'unchanged']));
  const missing = receiptNumbers.filter((receiptNumber) => !saved.has(receiptNumber));
  const removed = new Map((await own.findRemoved(missing)).map((one) => [one.receiptNumber, one]));
  const room = isPro ? missing.length : FREE_SAVED_CASES_MAX - (await own.count());
  const back = missing.flatMap((receiptNumber) => removed.get(receiptNumber) ?? []);
  for (const receiptNumber of missing) outcomes.set(receiptNumber, notRestorable());
  back.forEach(({ receiptNumber }, index) => {
    outcomes.set(receiptNumber, index < room ? 'changed' : new AppError('SAVED_CASE_LIMIT'));
  });
  const restored = await own.add(
    back.slice(0, Math.max(0, room)).map((one) => ({
      ...one,
      monitoringPausedAt: pausedAt(one.monitoringFrequency),
    })),
  );
  await own.publishWatches(
    restored.filter((one) => isMonitored(one) && !one.archivedAt).map((one) => one.receiptNumber),
  );
  return outcomes;
}

function tooManyTags(): AppError {
  return new AppError('VALIDATION', 'tags-max');
}

function notRestorable(): AppError {
  return new AppError('SAVED_CASE_NOT_FOUND', 'case-lost');
}
