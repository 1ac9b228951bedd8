import { KNOWN_STATUS_MAX } from '@casewatch/contracts/check-cases';
import type { Pool } from 'pg';
import { mostPutOff } from '../domain/check-times.ts';
import type { Claim, ClaimStore } from '../domain/store.ts';
import type { Schedule } from './schedule.ts';

interface ClaimedRow {
  receipt_number: string;
  owed_since: Date;
  last_status: string | null;
  terminal: boolean;
}

/** Claims on the table `watches`; every method is one or two statements, each a transaction of its own and prepared once per connection. */
export function createClaimStore(pool: Pool, schedule: Schedule): ClaimStore {
  const checkedAt = 'greatest(watches.last_checked_at, $3::timestamptz)';
  const finishing = settling(`
    last_checked_at = ${checkedAt}, next_check_at = ${schedule.nextCheck(checkedAt)},
    owed_since = NULL, attempts = 0, last_failure = $4::text`);
  const puttingOff = settling(`
    next_check_at = ${schedule.nextTry('$3::timestamptz')}, attempts = attempts + 1, last_failure = $4::text`);
  const releasing = settling(`
    next_check_at = owed_since, owed_since = NULL, last_failure = coalesce($3::text, last_failure)`);

  async function settle(
    name: string,
    text: string,
    claim: Claim,
    receiptNumbers: readonly string[],
    values: unknown[],
  ) {
    await pool.query({ name, text, values: [receiptNumbers, new Date(claim.leaseUntilMs), ...values] });
  }

  return {
    async claim({ nowMs, leaseMs, limit }) {
      const leaseUntilMs = nowMs + leaseMs;
      const take = async (name: string, text: string, count: number) => {
        const values = [new Date(nowMs), new Date(leaseUntilMs), count];
        return (await pool.query<ClaimedRow>({ name, text, values })).rows;
      };
      const postpone = await take('claim_put_off', CLAIM_PUT_OFF, mostPutOff(limit));
      const due = postpone.length < limit ? await take('claim_due', CLAIM_DUE, limit - postpone.length) : [];
      const rows = [...postpone, ...due].sort((a, b) => a.owed_since.getTime() - b.owed_since.getTime());
      return {
        leaseUntilMs,
        receiptNumbers: rows.map((row) => row.receipt_number),
        known: rows.flatMap(({ receipt_number: receiptNumber, last_status: status, terminal }) =>
          status === null || status.length > KNOWN_STATUS_MAX ? [] : { receiptNumber, status, terminal },
        ),
      };
    },
    finish: (claim, receiptNumbers, nowMs, failure) =>
      settle('finish_checks', finishing, claim, receiptNumbers, [new Date(nowMs), failure]),
    postpone: (claim, receiptNumbers, nowMs, failure) =>
      settle('put_off_checks', puttingOff, claim, receiptNumbers, [new Date(nowMs), failure]),
    release: (claim, receiptNumbers, failure) =>
      settle('release_checks', releasing, claim, receiptNumbers, [failure]),
  };
}

/**
 * $1 now, $2 the end of the lease, $3 how many. Moving `next_check_at` out of reach is the claim; who comes at the
 * same time skips the locked rows. The array keeps the planner from reading the whole table for the update.
 */
const claiming = (owed: 'IS NULL' | 'IS NOT NULL') => `
  WITH mine AS MATERIALIZED (
    SELECT receipt_number FROM watches
    WHERE owed_since ${owed} AND next_check_at <= $1::timestamptz
    ORDER BY next_check_at LIMIT $3::int
    FOR UPDATE SKIP LOCKED
  )
  UPDATE watches SET owed_since = coalesce(owed_since, next_check_at), next_check_at = $2::timestamptz
  WHERE receipt_number = ANY (ARRAY(SELECT receipt_number FROM mine))
  RETURNING receipt_number, owed_since, last_status, terminal`;

export const CLAIM_DUE = claiming('IS NULL');
export const CLAIM_PUT_OFF = claiming('IS NOT NULL');

/** $1 receipt numbers, $2 the end of the lease, which no other claim on the same watch has. */
const settling = (set: string) => `
  WITH mine AS MATERIALIZED (
    SELECT receipt_number FROM watches
    WHERE receipt_number = ANY ($1::text[]) AND next_check_at = $2::timestamptz AND owed_since IS NOT NULL
    ORDER BY receipt_number FOR UPDATE
  )
  UPDATE watches SET ${set}
  WHERE receipt_number = ANY (ARRAY(SELECT receipt_number FROM mine))`;
