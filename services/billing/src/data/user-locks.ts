import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Pool } from 'pg';
import { paymentsUnavailable } from '../domain/provider.ts';
import type { Store } from '../domain/store.ts';

/** Longer than the provider may take for the work of the lock's holder. */
const WAIT_MS = 12_000;
const LOCK_TIMEOUT = '55P03';
/** In addition to the request that runs: enough for double clicks in two tabs, and for quick changes of the chosen price. */
const MAX_WAITING = 5;
const RETRY_AFTER_SECONDS = 5;

/**
 * Serializes the work for a user across processes with a session lock of PostgreSQL: no transaction stays open while
 * the provider answers, and a process that dies releases the lock. A lost connection loses the lock, so writes name the
 * version they are based on. Within the process calls queue in memory: a user holds at most one connection.
 */
export function createUserLocks(pool: Pool): Pick<Store, 'withUserLock'> {
  /** Starts the waiting calls of a user; there is an entry while one runs. */
  const queues = new Map<string, (() => void)[]>();

  async function takeTurn(userId: string, skipQueue: boolean): Promise<void> {
    const queue = queues.get(userId);
    if (!queue) return void queues.set(userId, []);
    if (!skipQueue && queue.length >= MAX_WAITING) {
      throw new AppError('RATE_LIMITED', 'RATE_LIMITED', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    await new Promise<void>((start) => (skipQueue ? queue.unshift(start) : queue.push(start)));
  }

  function endTurn(userId: string): void {
    const next = queues.get(userId)?.shift();
    if (next) next();
    else queues.delete(userId);
  }

  return {
    async withUserLock(userId, work, { skipQueue = false } = {}) {
      await takeTurn(userId, skipQueue);
      try {
        return await withConnection(userId, work);
      } finally {
        endTurn(userId);
      }
    },
  };

  async function withConnection<T>(userId: string, work: () => Promise<T>): Promise<T> {
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
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_TIMEOUT;
}
