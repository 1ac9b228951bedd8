import type { PayloadOf } from '@casewatch/contracts/event-type';
import { caseWatchesListed } from '@casewatch/contracts/events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Monitoring, receipt, startMonitoring, user } from './monitoring-fixture.ts';

const ADA = user(1);
const [ONE, TWO, THREE] = [receipt(1), receipt(2), receipt(3)];

let monitoring: Monitoring;
beforeEach(async () => {
  monitoring = await startMonitoring();
});
afterEach(() => monitoring.stop());

type Listed = Omit<PayloadOf<typeof caseWatchesListed>, 'userId' | 'version'>;
const list = (version: number, page: Listed) =>
  monitoring.deliver(caseWatchesListed, { userId: ADA, version: String(version), ...page });
const daily = (receiptNumber: string, version: number, began = version) => ({
  receiptNumber,
  frequency: 'daily',
  version: String(version),
  beginning: { version: String(began), shown: { callNumber: '5', status: 'Case Was Received' } },
});
const running = async () =>
  (await monitoring.watchers()).flatMap((row) => (row.period_days === null ? [] : row.receipt_number));

test('a request that was lost is made up for by the list: the watch begins with what was shown then, and is due at once', async () => {
  await list(20, { watches: [daily(ONE, 10)] });
  expect(await monitoring.watch(ONE)).toMatchObject({
    next_check_at: new Date(monitoring.clock.nowMs()),
    period_days: 1,
  });
  await monitoring.observe(ONE, 'Case Was Approved', 6);
  expect(await monitoring.published()).toMatchObject([
    { userId: ADA, oldStatus: 'Case Was Received', newStatus: 'Case Was Approved' },
  ]);
});

test('what the list lacks ends, unless it was requested after the list', async () => {
  await monitoring.requestWatch(ADA, ONE, 'daily', { version: 10 });
  await monitoring.requestWatch(ADA, TWO, 'daily', { version: 21 });
  await monitoring.requestWatch(user(2), ONE, 'daily', { version: 3 });
  await list(20, { watches: [] });
  expect((await monitoring.watchers()).filter((row) => row.period_days !== null)).toMatchObject([
    { user_id: ADA, receipt_number: TWO },
    { user_id: user(2), receipt_number: ONE },
  ]);
  // A request from before the list arrives after it.
  await monitoring.requestWatch(ADA, ONE, 'weekly', { version: 15 });
  expect(await running()).toEqual([TWO, ONE]);
});

test('a request that was made after the list and before its arrival stands', async () => {
  await monitoring.requestWatch(ADA, ONE, 'none', { version: 25 });
  await list(20, { watches: [daily(ONE, 10)] });
  expect(await running()).toEqual([]);
});

test('a page says nothing of what is before or after it', async () => {
  for (const one of [ONE, TWO, THREE]) await monitoring.requestWatch(ADA, one, 'daily', { version: 10 });
  await list(20, { watches: [], from: TWO, before: THREE });
  expect(await running()).toEqual([ONE, THREE]);
  await list(20, { watches: [daily(ONE, 10)], before: TWO });
  await list(20, { watches: [], from: THREE });
  expect(await running()).toEqual([ONE]);
});

test('a list that says what is known writes nothing', async () => {
  await monitoring.requestWatch(ADA, ONE, 'daily', {
    version: 10,
    known: { status: 'Case Was Received', call: 5 },
  });
  await monitoring.requestWatch(ADA, TWO, 'none', { version: 11 });
  const rows = () =>
    monitoring.database.query('SELECT xmin, ctid, * FROM monitoring.watchers ORDER BY receipt_number');
  const before = await rows();
  await list(20, { watches: [daily(ONE, 10)] });
  expect(await rows()).toEqual(before);
});

test('a list of a deleted user brings nothing back', async () => {
  await monitoring.deleteUser(ADA);
  await list(20, { watches: [daily(ONE, 10)] });
  expect(await monitoring.watchers()).toEqual([]);
});

test('a list with a frequency that is none is a dead letter', async () => {
  await list(20, { watches: [{ ...daily(ONE, 10), frequency: 'hourly' }] });
  expect(await monitoring.deadLetters()).toHaveLength(1);
});
