import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { createUserLocks } from './user-locks.ts';

const UNAVAILABLE = { code: 'PAYMENTS_UNAVAILABLE' };

/** A pool of one connection that fails where `failing` says so; records its statements and how it was given back. */
function locksOn({ failing = '', code }: { failing?: string; code?: string } = {}) {
  const client = Object.assign(new EventEmitter(), {
    query: async (sql: string, values: unknown[] = []) => {
      statements.push([sql, ...values].join(' '));
      if (failing !== '' && sql.includes(failing)) throw Object.assign(new Error('no'), { code });
    },
    release: (isBroken: boolean) => void released.push(isBroken),
  });
  const statements: string[] = [];
  const released: boolean[] = [];
  const connect = async () => {
    if (failing === 'connect') throw new Error('no connection');
    return client;
  };
  const { withUserLock } = createUserLocks({ connect } as unknown as Pool);
  return { withUserLock, client, statements, released };
}

test('work is done between the lock, waited for 12 seconds at most, and its release', async () => {
  const { withUserLock, client, statements, released } = locksOn();
  expect(await withUserLock('user_1', async () => statements.push('work'))).toBe(3);
  expect(statements).toEqual([
    'SET lock_timeout = 12000',
    'SELECT pg_advisory_lock(hashtextextended($1, 0)) billing user_1',
    'work',
    'SELECT pg_advisory_unlock(hashtextextended($1, 0)) billing user_1',
  ]);
  expect(released).toEqual([false]);
  expect(client.listenerCount('error')).toBe(0);
});

test('a lock that another holds too long, and no connection to wait on, mean that payments are unavailable', async () => {
  const waiting = locksOn({ failing: 'pg_advisory_lock', code: '55P03' });
  await expect(waiting.withUserLock('user_1', async () => 1)).rejects.toMatchObject(UNAVAILABLE);
  expect(waiting.statements.at(-1)).toContain('pg_advisory_lock');
  expect(waiting.released).toEqual([false]);
  const { withUserLock } = locksOn({ failing: 'connect' });
  await expect(withUserLock('user_1', async () => 1)).rejects.toMatchObject(UNAVAILABLE);
});

test('another failure of the lock, and one of the work, is passed on, and the lock released', async () => {
  const failing = locksOn({ failing: 'pg_advisory_lock', code: '57P01' });
  await expect(failing.withUserLock('user_1', async () => 1)).rejects.toThrow('no');
  const { withUserLock, statements, released } = locksOn();
  const work = () => Promise.reject(new Error('the work failed'));
  await expect(withUserLock('user_1', work)).rejects.toThrow('the work failed');
  expect(statements.at(-1)).toContain('pg_advisory_unlock');
  expect(released).toEqual([false]);
});

test('a connection that broke, or could not release the lock, is closed', async () => {
  const kept = locksOn({ failing: 'pg_advisory_unlock' });
  expect(await kept.withUserLock('user_1', async () => 1)).toBe(1);
  expect(kept.released).toEqual([true]);
  const broken = locksOn();
  await broken.withUserLock('user_1', async () => broken.client.emit('error', new Error('lost')));
  expect(broken.released).toEqual([true]);
});

test('a user’s calls take turns on one connection, a reconciliation next; more than five waiting requests are refused', async () => {
  const { withUserLock, released } = locksOn();
  const began: string[] = [];
  const first = Promise.withResolvers<void>();
  const request = (name: string) =>
    withUserLock('user_1', async () => {
      began.push(name);
      await first.promise;
    });
  const requests = ['1', '2', '3', '4', '5', '6'].map(request);
  await expect(request('7')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
  const job = withUserLock('user_1', async () => began.push('job'), { skipQueue: true });
  await withUserLock('user_2', async () => began.push('other'));
  expect(began).toEqual(['1', 'other']);
  first.resolve();
  await Promise.all([...requests, job]);
  expect(began).toEqual(['1', 'other', 'job', '2', '3', '4', '5', '6']);
  await request('8');
  expect(released).toHaveLength(9);
});

test('a call that fails gives its turn to the next', async () => {
  const { withUserLock } = locksOn();
  const failing = withUserLock('user_1', () => Promise.reject(new Error('the work failed')));
  const next = withUserLock('user_1', async () => 1);
  await expect(failing).rejects.toThrow('the work failed');
  expect(await next).toBe(1);
});
