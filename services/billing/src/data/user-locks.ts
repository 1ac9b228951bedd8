import type { Pool } from 'pg';
import { paymentsUnavailable } from '../domain/provider.ts';
import type { Store } from '../domain/store.ts';

/** Longer than the provider may take for the work of the lock's holder. */
const WAIT_MS = 12_000;
const LOCK_TIMEOUT = '55P03';

/**
 * Serializes the work for a user across processes with a session lock of PostgreSQL: no transaction stays open while
 * the provider answers, and a process that dies releases the lock. A lost connection loses the lock, so writes name the
 * version they are based on.
 */
export function createUserLocks(pool: Pool): Pick<Store, 'withUserLock'> {
  return {
    async withUserLock(userId, work) {
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
        // Closing a connection that may still hold the lock releases it.
        client.release(broken);
      }
    },
  };
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_TIMEOUT;
}
