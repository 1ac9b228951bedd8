import type { LateCode } from '@casewatch/contracts/monitoring';

/** Watches that one scheduler holds until `leaseUntilMs`. */
export interface Claim {
  readonly leaseUntilMs: number;
  /** Owed longest first. */
  readonly receiptNumbers: readonly string[];
}

/**
 * What the scheduler needs of the database. Everything that ends a claim applies only to watches that are still
 * held under it: a lease that is over, or a watch that has been observed meanwhile, is left alone.
 */
export interface ClaimStore {
  /** Takes at most `limit` due watches, each by one scheduler only; failed and abandoned ones before the rest. */
  claim(options: { nowMs: number; leaseMs: number; limit: number }): Promise<Claim>;
  /** The agency answered, with a status (`failure` null) or without: due again a period later. */
  finish(
    claim: Claim,
    receiptNumbers: readonly string[],
    nowMs: number,
    failure: LateCode | null,
  ): Promise<void>;
  /** The check failed: tried again after a pause that doubles with each failure in a row. */
  putOff(claim: Claim, receiptNumbers: readonly string[], nowMs: number, failure: LateCode): Promise<void>;
  /** The check was not made: due as before. */
  release(claim: Claim, receiptNumbers: readonly string[], failure: LateCode | null): Promise<void>;
}
