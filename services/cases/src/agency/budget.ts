/** Who a call is made for: a person at the screen, or a scheduled check. */
export type CallSource = 'user' | 'monitor';

/**
 * What the agency lets us call: so many calls in any one-second window, as they arrive there, and so many a day (GMT).
 * The limits hold for everyone who shares the adapter. When the budget can't be read, no call is made.
 */
export interface Budget {
  /**
   * Resolves when one call may be sent, at once: nothing slow may come in between. It is then counted, made or not.
   * People go before scheduled checks, otherwise first come, first served.
   * @throws BudgetRefusal when the wait is longer than `withinMs`, told as early as it is certain, or when the day's
   * calls are spent
   */
  take(source: CallSource, withinMs: number): Promise<Lease>;
  /** The agency said "too many": nobody gets a call for this long. A shorter pause does not shorten a longer one. */
  pause(ms: number): void;
  /** Refuses who still waits and gives back what was reserved and not used. */
  stop(): Promise<void>;
}

/**
 * One call's place in the second in which it arrives at the agency: taken from before it is sent until a second after
 * `done`. A call that is not done after 2 s counts as done, so that a hanging agency does not hold everybody up: only
 * a call that arrives later than that, without an answer or a failure yet, could be one too many.
 */
export interface Lease {
  /** The call can't arrive any more: the head of its answer is here, or it has failed. A second time does nothing. */
  done(): void;
}

/** No call now. `spent`: the day's calls are used up; `busy`: too many want one at once. */
export class BudgetRefusal extends Error {
  override readonly name = 'BudgetRefusal';
  readonly reason: 'spent' | 'busy';
  /** Sooner there is no call, for this source. */
  readonly retryAfterMs: number;

  constructor(reason: 'spent' | 'busy', retryAfterMs: number) {
    super(`the budget of agency calls is ${reason}`);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
