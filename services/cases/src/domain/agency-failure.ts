/**
 * Why the agency gave no answer about a case:
 * - `refused`: it won't look this receipt number up (422); asking again gives the same.
 * - `rate-limited`, `quota-spent`: too many calls, by its own count (429).
 * - `unavailable`: it says it is closed or down (503); `maintenance`: it shows a web page instead of an answer.
 *   `unexpected`: an error that it documents nowhere.
 * - `timeout`: no whole answer in time. `unreachable`: no connection, or it broke.
 * - `unreadable`: an answer, but not one about this case in the agreed form.
 * - `credentials`: it does not accept ours. `resting`: it failed so often that we leave it alone for a moment.
 * - `budget-spent`, `budget-busy`: our own budget allows no call; none was made. `no-caller`: none of our processes calls the
 *   agency at the moment; none was made.
 */
export type FailureKind =
  | 'refused'
  | 'rate-limited'
  | 'quota-spent'
  | 'unavailable'
  | 'maintenance'
  | 'unexpected'
  | 'timeout'
  | 'unreachable'
  | 'unreadable'
  | 'credentials'
  | 'resting'
  | 'budget-spent'
  | 'budget-busy'
  | 'no-caller';

export interface AgencyFailure {
  readonly kind: FailureKind;
  /** The agency's own words as plain text, where it gave some. */
  readonly agencyMessage?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** For the log: what exactly happened. Holds no secret and no receipt number. */
  readonly detail?: string | undefined;
}

/** No call was made, because our own budget has none. */
export function isRefusedByBudget(kind: FailureKind): boolean {
  return kind === 'budget-busy' || kind === 'budget-spent';
}
