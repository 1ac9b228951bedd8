import type { Pool } from 'pg';
import type { Store } from '../domain/store.ts';
import { paymentsUnavailable } from '../domain/unavailable.ts';

/** Longer than the provider may take for what the one before us does. */
const WAIT_MS = 12_000;
const LOCK_TIMEOUT = '55P03';

/**
 * One piece of work per user at a time, in all processes: a session lock of PostgreSQL, so that nothing is kept open in
 * the tables while the provider is waited for, and a process that dies lets go. A lost connection loses the lock: what
 * is written names the version it was made from.
 */
export function createUserLocks(pool: Pool): Pick<Store, 'alone'> {
  return {
    async alone(userId, work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw paymentsUnavailable(error);
      });
      let broken = false;
      const onError = () => {
        broken = true;
      };
      client.on('error', onError);
      try {
        const key = [`billing ${userId}`];
        await client.query(`SET lock_timeout = ${WAIT_MS}`);
        await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', key);
        try {
          return await work();
        } finally {
          await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', key).catch(onError);
        }
      } catch (error) {
        if (isLockTimeout(error)) throw paymentsUnavailable(error);
        throw error;
      } finally {
        client.off('error', onError);
        // A connection that may still hold the lock is closed, which lets go of it.
        client.release(broken);
      }
    },
  };
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_TIMEOUT;
}
