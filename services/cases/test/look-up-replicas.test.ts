import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { type Cache, createMemoryCache } from '@casewatch/shared-state/cache/cache';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type CasesFixture, errorOf, PAT, startCases } from './cases-fixture.ts';

const SLOW_MACHINE_MS = 10_000;

let database: TestDatabase;
let cache: Cache;
let first: CasesFixture;
let replicas: CasesFixture[];

// Three replicas that share a database and a memory, as they do through Redis; the agency is the first one's.
beforeAll(async () => {
  database = await createTestDatabase();
  cache = createMemoryCache(systemClock);
  const shared = { database, cache, clock: systemClock };
  first = await startCases(shared);
  const others = [1, 2].map(() => startCases({ ...shared, agencyUrl: first.agencyUrl }));
  replicas = [first, ...(await Promise.all(others))];
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await database.drop();
});
beforeEach(() => first.control('DELETE', ''));

const lookUpEverywhere = (receiptNumber: string, times = 10) =>
  Promise.all(
    Array.from({ length: times }, () => replicas.map((replica) => replica.lookUp(receiptNumber))).flat(),
  );

test('look-ups of one receipt number in three replicas at once make one call', async () => {
  await first.control('PUT', '/latency', { ms: 200 });
  const answers = await lookUpEverywhere('EAC9999103403');
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(bodies).size).toBe(1);
  expect((await first.calls('EAC9999103403')).total).toBe(1);
});

test('the same for a receipt number that is not recognised', async () => {
  await first.control('PUT', '/latency', { ms: 200 });
  const answers = await lookUpEverywhere('EAC1234567891');
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  expect((await first.calls('EAC1234567891')).total).toBe(1);
});

test('when a call of one replica fails, the waiting ones make their own', async () => {
  await first.control('PUT', '/latency', { ms: 200 });
  await first.fault({ mode: 'refused', receiptNumber: 'EAC9999103404', count: 1 });
  const answers = await lookUpEverywhere('EAC9999103404', 1);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused && (await errorOf(refused)).code).toBe('AGENCY_REFUSED');
});

test('a replica that died during its call delays others no longer than its turn', async () => {
  await cache.add('asking:EAC9999103405', '1', 300);
  expect((await first.lookUp('EAC9999103405')).status).toBe(200);
  expect(await cache.get('asking:EAC9999103405')).toBeUndefined();
});

test('who waits for another replica holds no call of the budget, and its row says that the answer was shared', async () => {
  const number = 'EAC9999103410';
  await cache.add(`asking:${number}`, '1', 60_000);
  const granted = Promise.withResolvers<void>();
  // Its clock stands still: a permit that is not released stays taken.
  const waiter = await startCases({
    database,
    cache,
    agencyUrl: first.agencyUrl,
    env: { AGENCY_CALLS_PER_SECOND: '1' },
    onGranted: () => granted.resolve(),
  });
  await waiter.forgetPublished();
  let status: number | undefined;
  const waiting = waiter.lookUp(number, PAT).then((answer) => {
    status = answer.status;
  });
  await granted.promise;
  expect((await waiter.lookUp('EAC9999103411')).status).toBe(200);
  await cache.delete(`asking:${number}`);
  expect((await first.lookUp(number)).status).toBe(200);
  await vi.waitFor(async () => {
    await waiter.clock.advance(50);
    expect(status).toBe(200);
  }, SLOW_MACHINE_MS);
  await waiting;
  await waiter.stop();
  const rows = await waiter.logged();
  expect(rows.filter(({ userId }) => userId === PAT.userId)).toMatchObject([
    { receiptNumbers: [number], outcome: 'shared', agencyCalls: 0 },
  ]);
}, 60_000);
