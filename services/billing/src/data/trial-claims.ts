import { createHmac } from 'node:crypto';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Pool } from 'pg';
import { paymentsUnavailable } from '../domain/provider.ts';
import type { TrialClaims, TrialMark } from '../domain/store.ts';
import { openTrialKey } from './trial-key.ts';

/** Taken by another user, or by another trial of the same one. */
const OTHERS = `
  SELECT EXISTS (SELECT FROM trial_claims WHERE hash = ANY ($1)
    AND (user_id IS DISTINCT FROM $2::uuid OR stripe_subscription_id IS DISTINCT FROM $3)) AS found`;

/** Stores what has had a trial as keyed hashes; the primary key decides between concurrent claims. */
export function createTrialClaims(
  pool: Pool,
  secrets: readonly string[],
  logger: Logger,
): TrialClaims & {
  /** Opens the key, so that it is sealed with the first of the secrets from then on. @throws while the database is unavailable */
  prepare(): Promise<void>;
} {
  let opened: Buffer | undefined;
  let isLogged = false;

  async function openKey(): Promise<Buffer | undefined> {
    opened ??= await openTrialKey(pool, secrets);
    if (!opened && !isLogged) {
      isLogged = true;
      logger.error(
        'billing: trial key could not be opened, no trial is given until INTERNAL_SECRET has the secret before it in its list',
      );
    }
    return opened;
  }

  async function hashOf({ kind, value }: TrialMark): Promise<Buffer | undefined> {
    const key = await openKey();
    return key && createHmac('sha256', key).update(`${kind} ${value}`).digest();
  }

  async function isFound(condition: string, values: unknown[]): Promise<boolean> {
    const { rows } = await pool.query(`SELECT FROM trial_claims WHERE ${condition} LIMIT 1`, values);
    return rows.length > 0;
  }

  return {
    prepare: async () => void (await openKey()),

    async isTaken(userId, mark) {
      const hash = await hashOf(mark);
      if (!hash) return undefined;
      return isFound('hash = $1 AND user_id IS DISTINCT FROM $2::uuid', [hash, userId]);
    },

    has: (userId, subscriptionId) =>
      isFound('user_id = $1::uuid AND stripe_subscription_id = $2', [userId, subscriptionId]),

    async claim({ userId, subscriptionId, nowMs }, marks) {
      const claims = await Promise.all(
        marks.map(async (mark) => {
          const hash = await hashOf(mark);
          if (!hash) throw paymentsUnavailable(new Error('the trial key could not be opened'));
          return { kind: mark.kind, hash };
        }),
      );
      // In one order, so that two claims with the same marks wait for each other and never deadlock.
      claims.sort((a, b) => Buffer.compare(a.hash, b.hash));
      const hashes = claims.map(({ hash }) => hash);
      class Taken extends Error {}
      try {
        await inTransaction(pool, async (tx) => {
          // The erasure of the user waits for this claim, and takes the user's id from it; after it there is none.
          const alive = await tx.query(
            'SELECT 1 FROM customers WHERE user_id = $1::uuid AND deleted_at IS NULL FOR SHARE',
            [userId],
          );
          if (alive.length === 0) throw new Taken();
          // Waits for a concurrent claim of the same hash to be committed or rolled back.
          await tx.query(
            `INSERT INTO trial_claims (hash, kind, user_id, stripe_subscription_id, claimed_at)
             SELECT hash, kind, $3::uuid, $4, $5::timestamptz FROM unnest($1::bytea[], $2::text[]) AS claim (hash, kind)
             ORDER BY hash
             ON CONFLICT (hash) DO NOTHING`,
            [hashes, claims.map(({ kind }) => kind), userId, subscriptionId, new Date(nowMs)],
          );
          const [others] = await tx.query<{ found: boolean }>(OTHERS, [hashes, userId, subscriptionId]);
          if (others?.found) throw new Taken();
        });
        return true;
      } catch (error) {
        if (error instanceof Taken) return false;
        throw error;
      }
    },
  };
}
