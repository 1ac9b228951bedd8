import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkDueWatches } from '../src/domain/check-due-watches.ts';
import { HOUR, MINUTE, type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

const R = receipt(1);
const ADA = user(1);
const BOB = user(2);

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

const pass = (limit = 100) => checkDueWatches(monitoring.checking, limit, new AbortController().signal);
const iso = (atMs: number) => new Date(atMs).toISOString();

test('a signed-out caller gets 401', async () => {
  const answer = await monitoring.call('GET', '/api/watches');
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: 'SIGNED_OUT' });
});

test('a user sees what she watches, at her own frequency, and nothing of others', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.requestWatch(ADA, R, 'monthly');
  await monitoring.requestWatch(BOB, R, 'daily');
  await monitoring.requestWatch(BOB, receipt(2), 'daily');
  await monitoring.requestWatch(ADA, receipt(3), 'weekly');
  await monitoring.requestWatch(ADA, receipt(3), 'none');
  expect(await monitoring.listFor(ADA)).toEqual([
    { receiptNumber: R, frequency: 'monthly', lastCheckedAt: null, nextCheckAt: iso(now), late: null },
  ]);
  expect(await monitoring.listFor(user(3))).toEqual([]);
});

test('a read by receipt number returns only the named watches', async () => {
  for (const nth of [1, 2, 3]) await monitoring.requestWatch(ADA, receipt(nth), 'daily');
  await monitoring.requestWatch(BOB, receipt(4), 'daily');
  const chosen = [receipt(4), receipt(3), receipt(1), receipt(5)].join();
  const answer = await monitoring.call('GET', `/api/watches?receiptNumbers=${chosen}`, {
    as: { userId: ADA, tier: 'pro' },
  });
  expect(await answer.json()).toMatchObject([{ receiptNumber: receipt(1) }, { receiptNumber: receipt(3) }]);
});

test('after a check it says when that was and when the next one is due', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.requestWatch(ADA, R, 'daily');
  await pass();
  const [watch] = await monitoring.listFor(ADA);
  expect(watch).toMatchObject({ lastCheckedAt: iso(now), late: null });
  expect(Date.parse(watch?.nextCheckAt ?? '')).toBeGreaterThan(now + 22 * HOUR);
});

test('while a check is in flight the watch is due, not postponed to the end of the lease', async () => {
  const now = monitoring.clock.nowMs();
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.checking.store.claim({ leaseMs: MINUTE, limit: 100 });
  expect(await monitoring.listFor(ADA)).toMatchObject([{ nextCheckAt: iso(now), late: null }]);
});

test('a failed check is shown at once, with the next attempt', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  monitoring.cases.answer(R, { outcome: 'failed', code: 'AGENCY_BUSY' });
  await pass();
  expect(await monitoring.listFor(ADA)).toMatchObject([
    {
      lastCheckedAt: null,
      nextCheckAt: iso(monitoring.clock.nowMs() + MINUTE),
      late: {
        code: 'AGENCY_BUSY',
        reason: 'The agency is limiting requests right now. We will keep trying.',
      },
    },
  ]);
});

test('a receipt number that the agency does not recognize is reported', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  monitoring.cases.answer(R, { outcome: 'not-recognized' });
  await pass();
  expect(await monitoring.listFor(ADA)).toMatchObject([
    {
      lastCheckedAt: iso(monitoring.clock.nowMs()),
      late: { code: 'RECEIPT_NOT_RECOGNIZED', reason: 'The agency did not recognize this receipt number.' },
    },
  ]);
});

test('a watch late by more than a minute shows why the whole queue waits', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.clock.advance(1);
  await monitoring.requestWatch(ADA, receipt(2), 'daily');
  monitoring.cases.answerAll({ outcome: 'no-budget', retryAfterSeconds: 3_600 });
  await pass(1);
  expect((await monitoring.listFor(ADA)).map(({ late }) => late)).toEqual([null, null]);
  await monitoring.clock.advance(MINUTE);
  const codes = (await monitoring.listFor(ADA)).map(({ late }) => late?.code);
  expect(codes).toEqual(['BUDGET_SPENT', undefined]);
  await monitoring.clock.advance(1);
  expect((await monitoring.listFor(ADA)).map(({ late }) => late?.code)).toEqual([
    'BUDGET_SPENT',
    'BUDGET_SPENT',
  ]);
});

test('a late watch does not show what the agency answered about the receipt number at the head of the queue', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  monitoring.cases.answer(R, { outcome: 'not-recognized' });
  await pass();
  await monitoring.clock.advance(24 * HOUR);
  await monitoring.requestWatch(BOB, receipt(2), 'daily');
  await monitoring.clock.advance(2 * MINUTE);
  expect(await monitoring.listFor(ADA)).toMatchObject([{ late: { code: 'RECEIPT_NOT_RECOGNIZED' } }]);
  expect(await monitoring.listFor(BOB)).toMatchObject([{ late: { code: 'QUEUED' } }]);
});

test('a late watch without a known failure shows the queue', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  await monitoring.clock.advance(2 * MINUTE);
  expect(await monitoring.listFor(ADA)).toMatchObject([{ late: { code: 'QUEUED' } }]);
});

test('the next status clears what was wrong', async () => {
  await monitoring.requestWatch(ADA, R, 'daily');
  monitoring.cases.answer(R, { outcome: 'failed', code: 'SOMETHING_NEW' });
  await pass();
  expect(await monitoring.listFor(ADA)).toMatchObject([{ late: { code: 'AGENCY_UNAVAILABLE' } }]);
  await monitoring.observe(R, 'Case Was Received');
  expect(await monitoring.listFor(ADA)).toMatchObject([{ late: null }]);
});
