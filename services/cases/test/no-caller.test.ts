import { randomUUID } from 'node:crypto';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAgencyQueue } from '../src/data/agency-queue.ts';
import { errorOf, newCheck, startCases } from './cases-fixture.ts';

const CASE = 'EAC9999103403';
const LOCK = `hashtextextended('casewatch agency caller', 0)`;

let database: TestDatabase;
let lock: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  lock = new pg.Client({ connectionString: database.urlFor('cases') });
  await lock.connect();
});
afterEach(async () => {
  await lock.end();
  await database.drop();
});

/** Takes the right to call from the process that has it. */
async function removeCaller(cases: { query(sql: string): Promise<unknown> }) {
  const taken = lock.query(`SELECT pg_advisory_lock(${LOCK})`);
  await cases.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND application_name = 'casewatch-agency-caller' AND datname = current_database()`,
  );
  await taken;
}

test('while no process calls the agency lookups of people fail with 503 and a time to retry, and stored answers are shown', async () => {
  const cases = await startCases({
    clock: systemClock,
    database,
    env: { BUDGET_WAIT_MS: '1000', FRESHNESS_SECONDS: '0' },
  });
  await cases.found(CASE);
  await removeCaller(cases.database);
  const [answer, stale, checks] = await Promise.all([
    cases.lookUp('EAC9999103404'),
    cases.found(CASE),
    cases.check(['EAC9999103405']),
  ]);
  expect(await errorOf(answer)).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfter: '5' });
  expect(stale).toMatchObject({ stale: { code: 'UNAVAILABLE' } });
  expect(checks).toMatchObject([{ outcome: 'failed', code: 'UNAVAILABLE', retryAfterSeconds: 5 }]);
  const rows = (await cases.logged()).filter(({ outcome }) => outcome !== 'answered');
  expect(rows.map(({ outcome, code, agencyCalls }) => [outcome, code, agencyCalls])).toEqual(
    Array(3).fill(['error', 'no-caller', 0]),
  );
  expect(await cases.database.query('SELECT FROM cases.agency_queue')).toEqual([]);
  await cases.stop();
});

test('a lookup whose row is deleted while it waits, as that of a deleted user is, ends at once with its row in the log', async () => {
  const cases = await startCases({ clock: systemClock, database });
  await cases.control('PUT', '/latency', { ms: 3_000 });
  const [lookUp, checks] = [cases.lookUp(CASE), cases.check(['EAC9999103405'])];
  await vi.waitFor(async () =>
    expect(await cases.database.query('SELECT FROM cases.agency_queue')).toHaveLength(2),
  );
  await cases.database.query('DELETE FROM cases.agency_queue');
  expect(await errorOf(await lookUp)).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfter: '5' });
  expect(await checks).toMatchObject([{ outcome: 'failed', code: 'UNAVAILABLE', retryAfterSeconds: 5 }]);
  expect((await cases.logged()).map(({ outcome, code }) => [outcome, code])).toEqual(
    Array(2).fill(['error', 'no-caller']),
  );
  await cases.stop();
});

test('also lookups that find too many waiting fail with 503 while no process calls', async () => {
  const env = { BUDGET_WAIT_MS: '3000', AGENCY_CALLS_PER_SECOND: '1' };
  const cases = await startCases({ clock: systemClock, database, env });
  await removeCaller(cases.database);
  const answers = Array.from({ length: 10 }, (_, nth) => cases.lookUp(`EAC99991035${10 + nth}`));
  for (const answer of await Promise.all(answers))
    expect(await errorOf(answer)).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfter: '5' });
  await cases.stop();
});

test('a process calls that has the lock and reads what joins', async () => {
  const pool = createDatabasePool({
    url: database.urlFor('cases'),
    service: 'cases',
    maximum: 2,
    logger: pino({ level: 'silent' }),
  });
  const queue = createAgencyQueue(pool, randomUUID(), systemClock);
  const isCalled = async () => (await queue.state()).isCalled;
  expect(await isCalled()).toBe(false);
  await pool.query(
    `INSERT INTO agency_caller (epoch, name, since, pid) VALUES (7, 'test', clock_timestamp(), $1)`,
    [(await lock.query('SELECT pg_backend_pid() AS pid')).rows[0].pid],
  );
  expect(await isCalled()).toBe(false);
  await lock.query(`SELECT pg_advisory_lock(${LOCK})`);
  expect(await isCalled()).toBe(true);
  await queue.join([{ receiptNumber: CASE, waitMs: 60_000, requester: newCheck() }]);
  expect(await isCalled()).toBe(true);
  await pool.query(`UPDATE agency_queue SET joined_at = joined_at - interval '2 seconds'`);
  expect(await isCalled()).toBe(false);
  await queue.claim(7, false);
  expect(await isCalled()).toBe(true);
  // Its successor has to wait for what it has sent.
  await pool.query('UPDATE agency_caller SET epoch = 8');
  expect(await isCalled()).toBe(false);
  await pool.end();
});

/** The failure of a lookup after `waitMs` without a turn, where the process of the row has the lock (`isHolder`) or not. */
async function withoutTurn(
  waitMs: number,
  {
    isHolder = false,
    isOvertaken = false,
    ...claim
  }: { epoch: number; isFirst: boolean; isHolder?: boolean; isOvertaken?: boolean },
) {
  const pool = createDatabasePool({
    url: database.urlFor('cases'),
    service: 'cases',
    maximum: 2,
    logger: pino({ level: 'silent' }),
  });
  try {
    const { rows } = await (isHolder ? lock : pool).query('SELECT pg_backend_pid() AS pid');
    await pool.query(
      `INSERT INTO agency_caller (epoch, name, since, pid) VALUES (7, 'test', clock_timestamp(), $1)`,
      [rows[0].pid],
    );
    const queue = createAgencyQueue(pool, randomUUID(), systemClock);
    const requester = newCheck();
    const { id } = requester.lookup;
    await queue.join([{ receiptNumber: CASE, waitMs, requester }]);
    await queue.claim(claim.epoch, claim.isFirst);
    if (isOvertaken) await pool.query('UPDATE agency_caller SET epoch = epoch + 1');
    let taken = await queue.take(0, [id]);
    while (taken.length === 0) taken = await queue.take(0, [id]);
    return taken;
  } finally {
    await pool.end();
  }
}

test.each([
  ['the process that has read it has exited', 500, { epoch: 7, isFirst: false }],
  ['the process that would read it was overtaken', 500, { epoch: 6, isFirst: false }],
  ['its wait was over before a process came that calls', 0, { epoch: 7, isFirst: true }],
])('a lookup without a turn was not called for where %s', async (_, waitMs, claim) => {
  const [one] = await withoutTurn(waitMs, claim);
  expect(one).toMatchObject({ outcome: null, hadTurn: false, isCalled: false });
});

test('a lookup without a turn was called for where the process that has read it still calls', async () => {
  await lock.query(`SELECT pg_advisory_lock(${LOCK})`);
  const [one] = await withoutTurn(500, { epoch: 7, isFirst: false, isHolder: true });
  expect(one).toMatchObject({ outcome: null, hadTurn: false, isCalled: true });
});

test('a lookup that a lost caller has read was not called for by one that has the lock and has not begun', async () => {
  await lock.query(`SELECT pg_advisory_lock(${LOCK})`);
  const [one] = await withoutTurn(500, { epoch: 7, isFirst: false });
  expect(one).toMatchObject({ outcome: null, hadTurn: false, isCalled: false });
});

test('a lookup that a lost caller has read was not called for while its successor waits to begin', async () => {
  await lock.query(`SELECT pg_advisory_lock(${LOCK})`);
  const [one] = await withoutTurn(500, { epoch: 7, isFirst: false, isHolder: true, isOvertaken: true });
  expect(one).toMatchObject({ outcome: null, hadTurn: false, isCalled: false });
});
