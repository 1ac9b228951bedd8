import { caseObserved } from '@casewatch/contracts/events';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createOutboxBus } from '@casewatch/testing/outbox-bus';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ADA, BOB, type CasesFixture, type FixtureOptions, PAT, startCases } from './cases-fixture.ts';

const SLOW_MACHINE_MS = 30_000;
const CASE = 'EAC9999103403';

let database: TestDatabase;
let cases: CasesFixture | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await cases?.stop();
  cases = undefined;
  await database.drop();
});

async function start(options: FixtureOptions = {}): Promise<CasesFixture> {
  cases = await startCases({ clock: systemClock, database, ...options });
  return cases;
}

/** Every row, once the given number are there; what a stopping service still writes included. */
async function rows(running: CasesFixture, count: number) {
  await vi.waitFor(
    async () => expect((await running.logged()).length).toBeGreaterThanOrEqual(count),
    SLOW_MACHINE_MS,
  );
  await running.stop();
  cases = undefined;
  const events = await running.logged();
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  return events;
}

const outcomes = (events: readonly { outcome?: string | undefined }[]) =>
  events.map(({ outcome }) => outcome).sort();

test('an answered lookup says who asked, how, by which request, and where its time went', async () => {
  const running = await start();
  await running.call('GET', `/api/case-status/${CASE}?origin=check-now`, {
    as: ADA,
    headers: { 'x-request-id': '7b0f1a52-5c0e-4f0a-9a75-0d7c1f0c3a11' },
  });
  const [row] = await rows(running, 1);
  expect(row).toMatchObject({
    outcome: 'answered',
    receiptNumbers: [CASE],
    userId: ADA.userId,
    tier: 'free',
    origin: 'check-now',
    requestId: '7b0f1a52-5c0e-4f0a-9a75-0d7c1f0c3a11',
    success: true,
    statusCode: 200,
    agencyCalls: 1,
    servedStale: false,
  });
  expect(row?.code).toBeUndefined();
  expect((row?.queueMs ?? 0) + (row?.agencyMs ?? 0)).toBeLessThanOrEqual((row?.durationMs ?? 0) + 1);
});

test('stored and shared answers are rows of their own, without a call', async () => {
  const running = await start();
  await running.control('PUT', '/latency', { ms: 200 });
  await Promise.all([running.found(CASE, ADA), running.found(CASE, ADA), running.found(CASE, BOB)]);
  await running.found(CASE, BOB);
  await running.bulk([CASE, 'EAC1234567891'], PAT);
  const events = await rows(running, 6);
  expect(outcomes(events)).toEqual(['answered', 'not-recognized', 'shared', 'shared', 'stored', 'stored']);
  const ofBulk = events.filter(({ origin }) => origin === 'bulk').map(({ userId }) => userId);
  expect(ofBulk).toEqual([PAT.userId, PAT.userId]);
  expect(events.filter(({ origin }) => origin === 'single')).toHaveLength(4);
  expect(events.map(({ agencyCalls = 0 }) => agencyCalls).reduce((sum, calls) => sum + calls)).toBe(2);
});

test('of lookups from the store a setting keeps a share; no other row is left out', async () => {
  const running = await start({ env: { LOOKUP_LOG_STORED_SHARE: '0.25' } });
  await running.found(CASE);
  for (let turn = 0; turn < 20; turn += 1) await running.found(CASE);
  for (let turn = 0; turn < 3; turn += 1) await running.lookUp('EAC1234567891');
  const events = await rows(running, 9);
  expect(outcomes(events)).toEqual([
    'answered',
    ...Array.from({ length: 3 }, () => 'not-recognized'),
    ...Array.from({ length: 5 }, () => 'stored'),
  ]);
});

test('in an outage rows equal lookups: none is missing, none doubled, each with its reason', async () => {
  const running = await start({ env: { AGENCY_TIMEOUT_MS: '600', FRESHNESS_SECONDS: '0' } });
  await running.found(CASE, ADA);
  const agencyFailures = [
    ['html', 'maintenance'],
    ['invalid-json', 'unreadable'],
    ['changed-shape', 'unreadable'],
    ['timeout', 'timeout'],
    ['unavailable', 'unavailable'],
  ] as const;
  const expected: [string, string][] = [];
  for (const [nth, [mode, code]] of agencyFailures.entries()) {
    const receiptNumber = `EAC100000001${nth * 2}`;
    await running.fault({ mode, receiptNumber });
    expect((await running.lookUp(receiptNumber)).status).toBe(503);
    expected.push(['fault', code]);
  }
  await running.fault({ mode: 'unavailable' });
  const down = Array.from({ length: 12 }, (_, nth) => `SRC21900100${String(nth * 2).padStart(2, '0')}`);
  for (const receiptNumber of down) await running.lookUp(receiptNumber, BOB);
  expect(await running.found(CASE, ADA)).toMatchObject({ stale: { code: 'AGENCY_UNAVAILABLE' } });
  const checked = await running.check(['LIN2190020002', 'LIN2190020004']);
  expect(checked.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);

  const events = await rows(running, 1 + agencyFailures.length + 12 + 1 + 2);
  expect(events).toHaveLength(1 + agencyFailures.length + 12 + 1 + 2);
  const byReceipt = (receiptNumber: string) =>
    events.filter((event) => event.receiptNumbers.includes(receiptNumber));
  for (const [nth, [outcome, code]] of expected.entries()) {
    expect(byReceipt(`EAC100000001${nth * 2}`)).toMatchObject([{ outcome, code, success: false }]);
  }
  const all = down.flatMap(byReceipt);
  expect(all).toHaveLength(12);
  expect(all.filter(({ outcome }) => outcome === 'circuit-open').length).toBeGreaterThanOrEqual(7);
  for (const { outcome, code, agencyCalls } of all) {
    expect([
      ['fault', 'unavailable'],
      ['circuit-open', 'resting'],
    ]).toContainEqual([outcome, code]);
    if (outcome === 'circuit-open') expect(agencyCalls).toBe(0);
  }
  expect(byReceipt(CASE)).toMatchObject([
    { outcome: 'answered' },
    { outcome: 'circuit-open', servedStale: true, success: false },
  ]);
  // The failures of two users hold no check back.
  for (const event of events.filter(({ source }) => source === 'monitor')) {
    expect(event).toMatchObject({ outcome: 'fault', code: 'unavailable', origin: 'scheduled' });
  }
});

test('a lookup while the queue cannot be written is a row whose cause is the product', async () => {
  const running = await start();
  await running.database.query('ALTER TABLE cases.agency_queue RENAME TO agency_queue_unavailable');
  expect((await running.lookUp(CASE)).status).toBe(500);
  await running.database.query('ALTER TABLE cases.agency_queue_unavailable RENAME TO agency_queue');
  expect(await rows(running, 1)).toMatchObject([{ outcome: 'error', agencyCalls: 0, success: false }]);
});

test('a lookup whose answer cannot be stored is one row, written when the database is back, and the agency is not asked again and again', async () => {
  const bus = createOutboxBus(systemClock);
  const running = await start({ bus });
  bus.isUnavailable = true;
  expect((await running.lookUp(CASE)).status).toBe(503);
  expect(await running.check([CASE])).toMatchObject([{ outcome: 'failed', code: 'UNAVAILABLE' }]);
  bus.isUnavailable = false;
  expect((await running.calls()).total).toBe(2);
  expect(await rows(running, 2)).toMatchObject([
    { outcome: 'error', code: 'dependency-down', agencyCalls: 1, statusCode: 200 },
    { outcome: 'error', code: 'dependency-down', agencyCalls: 1, statusCode: 200 },
  ]);
});

test('a lookup that is over before the answer to its call has the row of its process, and no second one', async () => {
  const running = await start();
  await running.control('PUT', '/latency', { ms: 500 });
  const answer = running.lookUp(CASE);
  await vi.waitFor(async () => expect((await running.calls()).total).toBe(1), SLOW_MACHINE_MS);
  await running.database.query(`UPDATE cases.agency_queue SET until = clock_timestamp() - interval '1 hour'`);
  expect((await answer).status).toBe(503);
  await vi.waitFor(async () => expect(await running.eventsOf(caseObserved)).toHaveLength(1), SLOW_MACHINE_MS);
  expect(await rows(running, 1)).toMatchObject([{ outcome: 'fault', code: 'timeout' }]);
});

test('a lookup whose browser disconnects before the answer is a row that says so', async () => {
  const running = await start();
  await running.control('PUT', '/latency', { ms: 300 });
  const leaving = new AbortController();
  const answer = running
    .call('GET', `/api/case-status/${CASE}`, { as: ADA, signal: leaving.signal })
    .catch(() => undefined);
  await vi.waitFor(async () => expect((await running.calls()).total).toBe(1), SLOW_MACHINE_MS);
  leaving.abort();
  await answer;
  expect(await rows(running, 1)).toMatchObject([
    { outcome: 'canceled', code: 'disconnected', agencyCalls: 1, success: false },
  ]);
});

test('when an answer is there, so is its row: a process that is killed loses none', async () => {
  const running = await start();
  await running.found(CASE, ADA);
  await Promise.all(Array.from({ length: 20 }, () => running.found(CASE, BOB)));
  expect(await running.logged()).toHaveLength(21);
  expect(await running.lookUp('EAC1234567891')).toMatchObject({ status: 404 });
  expect(await running.lookUp('EAC1234567891')).toMatchObject({ status: 404 });
  expect(await running.logged()).toHaveLength(23);
});
