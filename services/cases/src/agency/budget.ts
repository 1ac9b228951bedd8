/** Who a call is made for: a person at the screen, or a scheduled check. */
export type CallSource = 'user' | 'monitor';

/**
 * What the agency lets us call: so many calls in any one-second window, and so many a day (GMT). The limits hold for
 * everyone who shares the adapter. When the budget can't be read, no call is made.
 */
export interface Budget {
  /**
   * Resolves when one call may be made now; it is then counted, made or not. People go before scheduled checks,
   * otherwise first come, first served.
   * @throws BudgetRefusal when the wait would be too long or the day's calls are spent
   */
  take(source: CallSource): Promise<void>;
  /** The agency said "too many": nobody gets a call for this long. A shorter pause does not shorten a longer one. */
  pause(ms: number): void;
  /** Refuses who still waits and gives back what was reserved and not used. */
  stop(): Promise<void>;
}

/** No call now. `spent`: the day's calls are used up; `busy`: too many want one at once. */
export class BudgetRefusal extends Error {
  override readonly name = 'BudgetRefusal';
  readonly reason: 'spent' | 'busy';
  readonly retryAfterMs: number;

  constructor(reason: 'spent' | 'busy', retryAfterMs: number) {
    super(`the budget of agency calls is ${reason}`);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
