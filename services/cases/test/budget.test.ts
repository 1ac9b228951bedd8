import { setTimeout } from 'node:timers/promises';
import { userDeleted } from '@casewatch/contracts/events';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createTestDatabase } from '@casewatch/testing/test-database';
import type { Person } from '@casewatch/testing/test-service';
import { expect, test, vi } from 'vitest';
import { createQuotaLedger } from '../src/data/pg-quota-ledger.ts';
import type { Requester } from '../src/domain/lookup.ts';
import { ADA, BOB, errorOf, PAT, startCases } from './cases-fixture.ts';

test('the day’s quota holds across a restart, and a new day starts at midnight GMT', async () => {
  const database = await createTestDatabase();
  const env = { AGENCY_CALLS_PER_DAY: '3', AGENCY_MONITORING_SHARE: '0' };
  const first = await startCases({ database, env });
  await first.found('EAC9999103403', ADA);
  await first.found('EAC9999103404', BOB);
  await first.stop();

  const second = await startCases({ database, env });
  await second.found('EAC9999103405', PAT);
  const error = await errorOf(await second.lookUp('EAC9999103410', ADA));
  expect(error).toMatchObject({ status: 503, code: 'BUDGET_SPENT', retryAfter: String(12 * 3_600) });
  expect(error.error).toMatch(/reached today’s lookup limit\. Please try again in 12 hours\.$/);
  expect((await second.calls()).total).toBe(1);
  expect((await second.found('EAC9999103403')).stale).toBeUndefined();
  await second.clock.advance(12 * 3_600_000);
  expect((await second.lookUp('EAC9999103410')).status).toBe(200);
  await second.stop();
  await database.drop();
});

test('a user who has had a fair share of a day that runs low gets the time of the next calls; others have theirs', async () => {
  const database = await createTestDatabase();
  const env = { AGENCY_CALLS_PER_DAY: '40', AGENCY_MONITORING_SHARE: '0' };
  const cases = await startCases({ database, env });
  let refused: Response | undefined;
  for (let nth = 0; !refused; nth += 1) {
    const answer = await cases.lookUp(`SRC219000${String(1_000 + nth)}`, ADA);
    if (answer.status === 503) refused = answer;
    else expect([200, 404]).toContain(answer.status);
  }
  const { total } = await cases.calls();
  expect(total).toBeGreaterThanOrEqual(30);
  expect(total).toBeLessThan(38);
  const error = await errorOf(refused);
  expect(error).toMatchObject({ code: 'BUDGET_SPENT' });
  expect(Number(error.retryAfter)).toBeLessThan(12 * 3_600);
  expect((await cases.lookUp('EAC9999103403', BOB)).status).toBe(200);
  await cases.stop();

  // The counts of both outlive the process.
  const later = await startCases({ database, env });
  expect((await later.lookUp('SRC2190002001', ADA)).status).toBe(503);
  expect((await later.lookUp('EAC9999103404', BOB)).status).toBe(200);
  await later.clock.advance(Number(error.retryAfter) * 1_000);
  expect((await later.lookUp('EAC9999103405', PAT)).status).toBe(200);
  await later.stop();
  await database.drop();
});

test('a spent budget shows the older answer, marked', async () => {
  const cases = await startCases({ env: { AGENCY_CALLS_PER_DAY: '1' } });
  await cases.found('EAC9999103403');
  await cases.clock.advance(60_000);
  expect((await cases.found('EAC9999103403')).stale).toMatchObject({ code: 'BUDGET_SPENT' });
  await cases.stop();
});

test('what a stopped process had reserved and not used is there for the next', async () => {
  const database = await createTestDatabase();
  const cases = await startCases({ database, env: { AGENCY_CALLS_PER_DAY: '10000' } });
  await cases.found('EAC9999103403');
  await cases.stop();
  expect(await database.query('SELECT calls FROM cases.agency_budget_days')).toEqual([{ calls: 1 }]);
  await database.drop();
});

test('the calls of a user whose account is deleted in the meantime are counted under the account no more', async () => {
  const database = await createTestDatabase();
  const cases = await startCases({ database });
  await cases.found('EAC9999103403', ADA);
  await cases.found('EAC9999103404', BOB);
  await cases.deliver(userDeleted, { userId: ADA.userId });
  await cases.stop();
  const counted = await database.query('SELECT user_id, calls FROM cases.agency_budget_users');
  expect(counted).toEqual([{ user_id: BOB.userId, calls: 1 }]);
  await database.drop();
});

test('the ledger keeps checks and users apart, adds up what each user had, and forgets users of earlier days', async () => {
  const database = await createTestDatabase();
  const ledger = createQuotaLedger(database.openPool('cases', 1));
  const lookup = {
    id: '',
    origin: 'single',
    requestId: undefined,
    traceId: undefined,
    startedAtMs: 0,
  } as const;
  const requester = ({ userId }: Person): Requester => ({
    source: 'user',
    userId,
    name: '',
    tier: 'free',
    lookup,
  });
  const [ada, bob] = [requester(ADA), requester(BOB)];
  const check = { source: 'monitor', lookup } as const;
  await ledger.add('2026-01-04', ada, 1);
  for (const requester of [ada, bob, check, check, ada]) await ledger.add('2026-01-05', requester, 1);
  for (const requester of [check, bob, bob]) await ledger.add('2026-01-05', requester, -1);
  expect(await ledger.read('2026-01-05')).toEqual({
    calls: 2,
    monitorCalls: 1,
    ofUsers: new Map([
      [ADA.userId, 2],
      [BOB.userId, 0],
    ]),
  });
  expect(await ledger.read('2026-01-06')).toEqual({ calls: 0, monitorCalls: 0, ofUsers: new Map() });
  expect(await database.query('SELECT FROM cases.agency_budget_users')).toEqual([]);
  await database.drop();
});

test('without a budget that can be read no call is made, and with it again one is', async () => {
  const cases = await startCases({ clock: systemClock });
  await cases.found('EAC9999103404');
  await cases.database.query('ALTER TABLE cases.agency_budget_days RENAME TO unavailable');
  expect((await cases.lookUp('EAC9999103403')).status).toBe(500);
  const [item] = await cases.bulk(['EAC9999103403']);
  expect(item).toEqual({
    success: false,
    receiptNumber: 'EAC9999103403',
    error: 'Failed to fetch case status',
    code: 'INTERNAL',
    messageKey: 'lookup-failed',
    requestId: expect.any(String),
  });
  expect((await cases.calls('EAC9999103403')).total).toBe(0);
  await cases.database.query('ALTER TABLE cases.unavailable RENAME TO agency_budget_days');
  expect((await cases.lookUp('EAC9999103403')).status).toBe(200);
  await cases.stop();
});

test('too many at once: some wait, the rest get a time to retry at once', async () => {
  const allAsked = Promise.withResolvers<void>();
  const cases = await startCases({
    env: { AGENCY_CALLS_PER_SECOND: '2', BUDGET_WAIT_MS: '9900' },
    // An answer makes room for another who waits.
    holdUp: () => allAsked.promise,
  });
  const answers: Response[] = [];
  const numbers = Array.from({ length: 23 }, (_, index) => `SRC2190000${300 + 2 * index}`);
  const all = Promise.all(numbers.map(async (number) => answers.push(await cases.lookUp(number))));
  await vi.waitFor(() => expect(answers).toHaveLength(3), { timeout: 30_000 });
  allAsked.resolve();
  await vi.waitFor(() => expect(answers).toHaveLength(5), { timeout: 30_000 });
  const refused = answers.find(({ status }) => status === 429) ?? new Response('{}');
  expect(await errorOf(refused)).toMatchObject({ code: 'AGENCY_BUSY', retryAfter: '11' });
  expect((await cases.calls()).total).toBe(2);
  for (let called = 2; called < 20; called += 2) {
    await cases.clock.advance(1_001);
    await vi.waitFor(async () => expect((await cases.calls()).total).toBe(called + 2), { timeout: 30_000 });
  }
  await all;
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  await cases.stop();
}, 60_000);

test('calls that are late on their way and prompt ones after them never meet in one second', async () => {
  const cases = await startCases({
    clock: systemClock,
    agency: { callsPerSecond: 3 },
    env: { AGENCY_CALLS_PER_SECOND: '3', BUDGET_WAIT_MS: '60000', AGENCY_TIMEOUT_MS: '30000' },
    // Every other three are late by most of a second, and this process stands still during that time.
    holdUp: async (nth) => {
      if (nth % 6 >= 3) return;
      await setTimeout(600);
      for (const until = Date.now() + 60; Date.now() < until; );
    },
  });
  const numbers = Array.from({ length: 12 }, (_, index) => `SRC2190000${100 + index * 2}`);
  const answers = await Promise.all(numbers.map((number) => cases.lookUp(number)));
  expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
  const { total, maxInAnySecond } = await cases.calls();
  expect(total).toBe(12);
  expect(maxInAnySecond).toBeLessThanOrEqual(3);
  await cases.stop();
}, 60_000);

test('calls that something slow of our own held up after their turn and prompt ones after them never meet in one second', async () => {
  const cases = await startCases({
    clock: systemClock,
    env: { AGENCY_CALLS_PER_SECOND: '3', BUDGET_WAIT_MS: '60000' },
  });
  // The first three wait between their turns and their calls: until their permits would be free again.
  const lock = await cases.database.openPool('cases', 1).connect();
  await lock.query('BEGIN; LOCK TABLE agency_budget_days');
  const numbers = Array.from({ length: 9 }, (_, index) => `SRC2190000${300 + index * 2}`);
  const answering = Promise.all(numbers.map((number) => cases.lookUp(number)));
  await setTimeout(2_900);
  await lock.query('COMMIT');
  lock.release();
  expect((await answering).map(({ status }) => status)).toEqual(numbers.map(() => 200));
  const { total, maxInAnySecond } = await cases.calls();
  expect(total).toBe(9);
  expect(maxInAnySecond).toBeLessThanOrEqual(3);
  await cases.stop();
}, 60_000);

test('a user’s lookup that meets a 429 waits for the end of the pause, and succeeds', async () => {
  const cases = await startCases({ clock: systemClock, env: { BUDGET_WAIT_MS: '30000' } });
  await cases.fault({ mode: 'rate-limited', count: 1 });
  const found = await cases.found('EAC9999103403');
  expect(found.stale).toBeUndefined();
  expect(await cases.calls()).toEqual({ total: 2, maxInAnySecond: 1 });
  expect(await cases.logged()).toMatchObject([
    { statusCode: 200, agencyCalls: 2, earlierCalls: [{ statusCode: 429, code: 'rate-limited' }] },
  ]);
  await cases.stop();
}, 60_000);

test('a second 429 is believed', async () => {
  const cases = await startCases({ clock: systemClock, env: { BUDGET_WAIT_MS: '30000' } });
  await cases.fault({ mode: 'rate-limited' });
  const error = await errorOf(await cases.lookUp('EAC9999103403'));
  expect(error).toMatchObject({ status: 429, code: 'AGENCY_BUSY', retryAfter: '2' });
  expect((await cases.calls()).total).toBe(2);
  await cases.stop();
}, 60_000);
