import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Pool } from 'pg';
import { DENIED_SHARE, mostPutOff } from '../domain/check-times.ts';
import type { Claim, ClaimStore } from '../domain/store.ts';
import type { Schedule } from './schedule.ts';

interface ClaimedRow {
  receipt_number: string;
  owed_since: Date;
}

/**
 * Claims on the table `watches`; every method is a few statements, each a transaction of its own and prepared once per connection. What
 * is due is decided by the database's time.
 */
export function createClaimStore(pool: Pool, schedule: Schedule, clock: Clock): ClaimStore {
  const nextCheck = schedule.nextCheck('$3::timestamptz');
  const settled = 'owed_since = NULL, attempts = 0';
  const finishing = settling(`
    last_checked_at = $3::timestamptz, next_check_at = ${nextCheck},
    ${settled}, denials = 0, last_failure = $4::text`);
  const denying = settling(`
    last_checked_at = $3::timestamptz, last_failure = $4::text,
    attempts = 0, denials = CASE WHEN last_status IS NULL THEN 0 ELSE denials + 1 END,
    next_check_at = CASE WHEN last_status IS NULL THEN ${nextCheck}
      ELSE coalesce(${schedule.nextTryAfterDenial('$3::timestamptz')}, ${nextCheck}) END,
    owed_since = CASE WHEN last_status IS NOT NULL
      AND ${schedule.nextTryAfterDenial('$3::timestamptz')} IS NOT NULL THEN owed_since END`);
  const puttingOff = settling(`
    next_check_at = ${schedule.nextTry('$3::timestamptz')}, attempts = attempts + 1, last_failure = $4::text`);
  const releasing = settling(`
    next_check_at = owed_since, owed_since = CASE WHEN denials > 0 THEN owed_since END,
    last_failure = coalesce($3::text, last_failure)`);
  const nowMs = () => databaseTimeMs(poolExecutor(pool), clock);
  /** The part of a turn that is left over for denied cases. */
  let deniedTurns = 0;

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
    async claim({ leaseMs, limit }) {
      const claimedAtMs = await nowMs();
      const leaseUntilMs = claimedAtMs + leaseMs;
      const rows: ClaimedRow[] = [];
      const take = async (name: string, text: string, most: number) => {
        const count = Math.min(most, limit - rows.length);
        if (count < 1) return;
        const values = [new Date(claimedAtMs), new Date(leaseUntilMs), count];
        rows.push(...(await pool.query<ClaimedRow>({ name, text, values })).rows);
      };
      const turns = deniedTurns + limit * DENIED_SHARE;
      deniedTurns = turns % 1;
      await take('claim_denied', CLAIM_DENIED, Math.floor(turns));
      await take('claim_put_off', CLAIM_PUT_OFF, mostPutOff(limit));
      await take('claim_due', CLAIM_DUE, limit);
      rows.sort((a, b) => a.owed_since.getTime() - b.owed_since.getTime());
      return { leaseUntilMs, receiptNumbers: rows.map((row) => row.receipt_number) };
    },
    finish: async (claim, receiptNumbers) =>
      settle('finish_checks', finishing, claim, receiptNumbers, [new Date(await nowMs()), null]),
    deny: async (claim, receiptNumbers, failure) =>
      settle('deny_checks', denying, claim, receiptNumbers, [new Date(await nowMs()), failure]),
    postpone: async (claim, receiptNumbers, failure) =>
      settle('put_off_checks', puttingOff, claim, receiptNumbers, [new Date(await nowMs()), failure]),
    release: (claim, receiptNumbers, failure) =>
      settle('release_checks', releasing, claim, receiptNumbers, [failure]),
  };
}

/**
 * $1 now, $2 the end of the lease, $3 how many. Moving `next_check_at` ahead is the claim; who comes at the
 * same time skips the locked rows. The array keeps the planner from reading the whole table for the update.
 */
const claiming = (which: string) => `
  WITH mine AS MATERIALIZED (
    SELECT receipt_number FROM watches
    WHERE ${which} AND next_check_at <= $1::timestamptz
    ORDER BY next_check_at LIMIT $3::int
    FOR UPDATE SKIP LOCKED
  )
  UPDATE watches SET owed_since = coalesce(owed_since, next_check_at), next_check_at = $2::timestamptz
  WHERE receipt_number = ANY (ARRAY(SELECT receipt_number FROM mine))
  RETURNING receipt_number, owed_since`;

export const CLAIM_DUE = claiming('owed_since IS NULL');
export const CLAIM_PUT_OFF = claiming('owed_since IS NOT NULL AND denials = 0');
export const CLAIM_DENIED = claiming('owed_since IS NOT NULL AND denials > 0');

/** $1 receipt numbers, $2 the end of the lease, which no other claim on the same watch has. */
const settling = (set: string) => `
  WITH mine AS MATERIALIZED (
    SELECT receipt_number FROM watches
    WHERE receipt_number = ANY ($1::text[]) AND next_check_at = $2::timestamptz AND owed_since IS NOT NULL
    ORDER BY receipt_number FOR UPDATE
  )
  UPDATE watches SET ${set}
  WHERE receipt_number = ANY (ARRAY(SELECT receipt_number FROM mine))`;
