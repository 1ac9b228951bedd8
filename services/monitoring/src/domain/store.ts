import type { LateCode } from '@casewatch/contracts/monitoring';

/** Watches that one scheduler holds until `leaseUntilMs`, by the database's time. */
export interface Claim {
  readonly leaseUntilMs: number;
  /** Owed longest first. */
  readonly receiptNumbers: readonly string[];
}

/**
 * The scheduler's port to the database. Ending a claim applies only to watches still held under it: those with an
 * expired lease, or observed in the meantime, are not changed.
 */
export interface ClaimStore {
  /**
   * Takes at most `limit` due watches, each by one scheduler only; failed and abandoned ones before the rest, and of those that the
   * agency denies a tenth.
   */
  claim(options: { leaseMs: number; limit: number }): Promise<Claim>;
  /** The agency answered with a status: due again a period later. */
  finish(claim: Claim, receiptNumbers: readonly string[]): Promise<void>;
  /**
   * The agency answered without a status. A case that had one is retried like a failed check, for a day with a try every hour; others,
   * and it after that, are due again a period later.
   */
  deny(claim: Claim, receiptNumbers: readonly string[], failure: LateCode): Promise<void>;
  /** The check failed: retried after a delay that doubles with each consecutive failure. */
  postpone(claim: Claim, receiptNumbers: readonly string[], failure: LateCode): Promise<void>;
  /** The check was not made: due as before, one of a denied case among those that are denied. */
  release(claim: Claim, receiptNumbers: readonly string[], failure: LateCode | null): Promise<void>;
}
