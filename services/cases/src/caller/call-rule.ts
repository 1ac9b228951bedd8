/** How many calls may be in flight, or have been answered within the last `windowMs`, at once. */
export interface CallRule {
  readonly calls: number;
  readonly windowMs: number;
  /** A call without an answer after so long has arrived all the same. */
  readonly leaseMs: number;
  /** The share of the calls, 0 to 1, that scheduled checks are guaranteed while they wait. */
  readonly scheduledShare: number;
}
