import type { CaseDate, EnteredDate } from '@casewatch/contracts/case-dates';
import type { SavedCase } from '@casewatch/contracts/cases';
import { CASE_DATES_MAX } from '@casewatch/contracts/limits';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { notSaved } from './removed-cases.ts';
import type { SavedCaseStore } from './saved-case-store.ts';

interface Deps {
  savedCases: SavedCaseStore;
  clock: Clock;
}
interface DateKey {
  receiptNumber: string;
  id: string;
}

/**
 * Adds a date to a saved case or changes it; what is so already is left alone.
 * @throws AppError SAVED_CASE_NOT_FOUND, VALIDATION for one date too many
 */
export async function putDate(
  { savedCases, clock }: Deps,
  userId: string,
  { receiptNumber, id }: DateKey,
  entered: EnteredDate,
): Promise<SavedCase> {
  return savedCases.forUser(userId, async (own) => {
    const [saved] = await own.find([receiptNumber]);
    if (!saved) throw notSaved();
    const dates = saved.dates ?? [];
    const before = dates.find((date) => date.id === id);
    if (before && isAsEntered(before, entered)) return saved;
    if (!before && dates.length >= CASE_DATES_MAX) throw new AppError('VALIDATION', 'dates-max');
    const date = newDate(id, entered, clock.nowMs());
    const isReopened = before?.doneAt != null && !entered.done;
    const after: CaseDate = {
      ...date,
      setAt: before && before.day === date.day && !isReopened ? before.setAt : date.setAt,
      doneAt: entered.done ? (before?.doneAt ?? date.doneAt) : null,
    };
    const changed = await own.setDates(receiptNumber, [...dates.filter((one) => one.id !== id), after]);
    return changed ?? saved;
  });
}

/** Removes a date; one that is not there is no error. @throws AppError SAVED_CASE_NOT_FOUND */
export async function removeDate(
  { savedCases }: Pick<Deps, 'savedCases'>,
  userId: string,
  { receiptNumber, id }: DateKey,
): Promise<SavedCase> {
  return savedCases.forUser(userId, async (own) => {
    const [saved] = await own.find([receiptNumber]);
    if (!saved) throw notSaved();
    const dates = saved.dates ?? [];
    const others = dates.filter((date) => date.id !== id);
    if (others.length === dates.length) return saved;
    return (await own.setDates(receiptNumber, others)) ?? saved;
  });
}

/** Returns a date as it is stored when it is entered. */
export function newDate(id: string, { kind, day, label, done }: EnteredDate, nowMs: number): CaseDate {
  const now = new Date(nowMs).toISOString();
  return { id, kind, day, label: label || null, doneAt: done ? now : null, setAt: now };
}

const isAsEntered = (date: CaseDate, { kind, day, label, done }: EnteredDate) =>
  date.kind === kind && date.day === day && date.label === (label || null) && (date.doneAt !== null) === done;
