import { invalid } from './refusals.ts';

const YEAR_10000_MS = Date.UTC(10_000, 0, 1);

/** A day or a moment as it is stored. @throws AppError VALIDATION outside of the years that dates are shown with */
export function toMoment(field: string, given: string | null): string | null {
  if (given === null) return null;
  const ms = Date.parse(given);
  if (!(ms >= 0 && ms < YEAR_10000_MS)) throw invalid(field, 'The date must lie between 1970 and 9999.');
  return new Date(ms).toISOString();
}

/** @throws AppError VALIDATION */
export function requireOrder(startDate: string | null, endDate: string | null): void {
  if (startDate === null || endDate === null || Date.parse(startDate) <= Date.parse(endDate)) return;
  throw invalid('endDate', 'The end date must not be before the start date.');
}
