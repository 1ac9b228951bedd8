/**
 * No call now. `spent`: the day has none for this caller; `busy`: too many want one at once; `unavailable`: calls can't
 * be counted.
 */
export class BudgetRefusal extends Error {
  override readonly name = 'BudgetRefusal';
  readonly reason: 'spent' | 'busy' | 'unavailable';
  /** When this caller can expect a call. */
  readonly retryAfterMs: number;

  constructor(reason: BudgetRefusal['reason'], retryAfterMs: number) {
    super(`the budget of agency calls is ${reason}`);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
