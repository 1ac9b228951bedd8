import type { KnownStatus } from '@casewatch/contracts/check-cases';
import type { LateCode } from '@casewatch/contracts/monitoring';

/** Watches that one scheduler holds until `leaseUntilMs`. */
export interface Claim {
  readonly leaseUntilMs: number;
  /** Owed longest first. */
  readonly receiptNumbers: readonly string[];
  /** What those that have a status know of it. */
  readonly known: readonly KnownStatus[];
}

/**
 * The scheduler's port to the database. Ending a claim applies only to watches still held under it: those with an
 * expired lease, or observed in the meantime, are not changed.
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
  /** The check failed: retried after a delay that doubles with each consecutive failure. */
  postpone(claim: Claim, receiptNumbers: readonly string[], nowMs: number, failure: LateCode): Promise<void>;
  /** The check was not made: due as before. */
  release(claim: Claim, receiptNumbers: readonly string[], failure: LateCode | null): Promise<void>;
}
