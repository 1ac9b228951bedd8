/** What has one trial: a mailbox, or what a payer is known by at the provider. */
export interface TrialMark {
  kind: 'address' | 'payer';
  value: string;
}

/**
 * Remembers what has had a trial, also after the account is deleted; by keyed hashes alone.
 */
export interface TrialClaims {
  /** Whether another account has had a trial with it; undefined while the hashes can't be made. */
  isTaken(userId: string, mark: TrialMark): Promise<boolean | undefined>;
  /** Whether the trial of this subscription was claimed by this user. */
  has(userId: string, subscriptionId: string): Promise<boolean>;
  /**
   * Claims all of the marks for a trial, or none: false when one of them has had another trial, or the user has been deleted. Idempotent.
   * @throws AppError PAYMENTS_UNAVAILABLE while the hashes can't be made: the trial waits
   */
  claim(
    claim: { userId: string; subscriptionId: string; nowMs: number },
    marks: readonly TrialMark[],
  ): Promise<boolean>;
}
