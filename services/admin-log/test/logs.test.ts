import { randomUUID } from 'node:crypto';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { callRecorder } from '../src/data/record-calls.ts';
import { toCall } from '../src/domain/call.ts';
import { newUserId, startAdminLog } from './admin-log-fixture.ts';
import { lookupAt } from './lookup-at.ts';

const log = await forThisFile(startAdminLog());

test('a call of the agency is in the log with everything that is known of it', async () => {
  const userId = newUserId();
  const id = await log.lookedUp({
    receiptNumber: 'IOE0000000001',
    userId,
    userFirstName: 'Pat',
    source: 'user',
    durationMs: 120,
    endedAt: '2026-01-05T11:59:58.120Z',
  });
  expect(await log.logs('?receiptNumber=IOE0000000001')).toEqual({
    logs: [
      {
        id,
        createdAt: '2026-01-05T11:59:58.120Z',
        endpoint: 'GET /case-status/IOE0000000001',
        receiptNumbers: ['IOE0000000001'],
        userId,
        userFirstName: 'Pat',
        source: 'user',
        statusCode: 200,
        success: true,
        durationMs: 120,
        requestPayload: { receiptNumber: 'IOE0000000001' },
        responsePayload: '{"case_status":{}}',
        place: expect.any(String),
        outcome: 'answered',
        cause: null,
        code: null,
        reason: null,
        queueMs: 0,
        agencyMs: 0,
        agencyCalls: 1,
        requestId: null,
        traceId: null,
        tier: null,
        origin: 'scheduled',
        servedStale: false,
        earlierCalls: [],
      },
    ],
    totalCount: 1,
    totalIsExact: true,
    older: null,
    newer: expect.any(String),
  });
});

test('a call that no answer came to has no status code, a scheduled check no user', async () => {
  await log.lookedUp({
    receiptNumber: 'IOE0000000002',
    statusCode: undefined,
    response: 'timeout: TimeoutError',
  });
  expect((await log.logs('?receiptNumber=IOE0000000002')).logs).toMatchObject([
    { statusCode: null, userId: null, userFirstName: null, source: 'monitor' },
  ]);
});

test('words of a newer version that are not known are left out', async () => {
  const receiptNumber = 'IOE0000000006';
  const words = { code: 'dreamt', tier: 'gold', origin: 'dream' };
  await log.lookedUp({ receiptNumber, ...words, statusCode: 503 });
  expect((await log.logs(`?receiptNumber=${receiptNumber}`)).logs).toMatchObject([
    { outcome: 'fault', cause: 'agency', code: 'dreamt', reason: null, tier: null, origin: null },
  ]);
});

test('what one event makes the log store is bounded, and ids that are none are left out', async () => {
  const call = { code: 'c'.repeat(60), durationMs: -1, response: 'r'.repeat(10_001) };
  await log.lookedUp({
    receiptNumber: 'IOE9000000000',
    userFirstName: 'n'.repeat(101),
    durationMs: -1,
    code: 'c'.repeat(51),
    requestId: 'not an id',
    traceId: 'g'.repeat(32),
    calls: Array.from({ length: 101 }, () => call),
  });
  await log.lookedUp({
    receiptNumber: 'IOE9000000001',
    requestId: '7B0F1A52-5c0e-4f0a-9a75-0d7c1f0c3a11',
    traceId: 'ABCDEF'.padEnd(32, '0'),
  });
  const cut = (character: string, length: number) => `${character.repeat(length)}…`;
  expect((await log.logs('?receiptNumber=IOE9000000000')).logs).toMatchObject([
    {
      userFirstName: cut('n', 100),
      responsePayload: cut('r', 10_000),
      agencyCalls: 100,
      durationMs: 0,
      code: cut('c', 50),
      requestId: null,
      traceId: null,
      earlierCalls: Array.from({ length: 5 }, () => ({
        statusCode: null,
        code: cut('c', 50),
        durationMs: 0,
        responsePayload: cut('r', 10_000),
      })),
    },
  ]);
  expect((await log.logs('?receiptNumber=IOE9000000001')).logs).toMatchObject([
    { requestId: '7b0f1a52-5c0e-4f0a-9a75-0d7c1f0c3a11', traceId: 'abcdef'.padEnd(32, '0') },
  ]);
});

test('a lookup that comes again, one after the other or at once, is one row and counted once', async () => {
  const facts = {
    id: randomUUID(),
    receiptNumber: 'IOE0000000003',
    endedAt: '2026-01-02T03:04:05.000Z',
  };
  const eventId = randomUUID();
  const before = (await log.logs()).totalCount;
  await Promise.all([1, 2, 3].map(() => log.lookedUp(facts, eventId)));
  await log.database.query('DELETE FROM admin_log.inbox');
  await log.lookedUp(facts, eventId);
  await log.lookedUp(facts, randomUUID());
  expect(await log.ids('?receiptNumber=IOE0000000003')).toEqual([facts.id]);
  expect((await log.logs()).totalCount).toBe(before + 1);
});

test('lookups that come in one event are a row each, once, also where the event comes again or one by itself', async () => {
  const before = (await log.logs()).totalCount;
  const lookups = ['IOE0000000031', 'IOE0000000032', 'IOE0000000033'].map((receiptNumber) => ({
    id: randomUUID(),
    receiptNumber,
    response: `answer to ${receiptNumber}`,
  }));
  await log.lookupsRecorded(lookups);
  await log.lookupsRecorded(lookups.toReversed());
  await log.lookedUp(lookups[0]);
  expect((await log.logs()).totalCount).toBe(before + 3);
  for (const { id, receiptNumber, response } of lookups)
    expect((await log.logs(`?receiptNumber=${receiptNumber}`)).logs).toMatchObject([
      { id, responsePayload: response },
    ]);
});

test('events that come together are stored in one transaction', async () => {
  const before = (await log.logs()).totalCount;
  const events = await Promise.all(
    [3, 300, 300].map((lookups) => log.lookupsRecorded(Array(lookups).fill({}))),
  );
  const transactions = await log.database.query<{ calls: number }>(
    'SELECT count(*)::int AS calls FROM admin_log.calls WHERE id = ANY ($1::uuid[]) GROUP BY xmin',
    [events.flat()],
  );
  expect(transactions).toEqual([{ calls: 603 }]);
  expect((await log.logs()).totalCount).toBe(before + 603);
});

test('an event with a lookup of unknown source or outcome is kept as a dead letter, as a whole', async () => {
  const before = (await log.logs()).totalCount;
  await log.lookupsRecorded([{ source: 'user' }, { source: 'dreamt' }]);
  await log.lookupsRecorded([{ outcome: 'dreamt' }]);
  expect((await log.logs()).totalCount).toBe(before);
  expect(
    await log.database.query('SELECT topic, error FROM admin_log.dead_letters ORDER BY 2'),
  ).toMatchObject([
    { topic: 'lookups-recorded', error: expect.stringContaining('outcome is not one that is known') },
    { topic: 'lookups-recorded', error: expect.stringContaining('source is not one of user, monitor') },
  ]);
});

test('a lookup that is twice in one batch is one row and counted once', async () => {
  const call = toCall(lookupAt(log.clock.nowMs(), { receiptNumber: 'IOE0000000004' }));
  const before = (await log.logs()).totalCount;
  await inTransaction(log.pool, (tx) => callRecorder.record(tx, [call, call], 0));
  expect(await log.ids('?receiptNumber=IOE0000000004')).toEqual([call.id]);
  expect((await log.logs()).totalCount).toBe(before + 1);
});

test('a lookup is found by its receipt number, also as people write it', async () => {
  const id = await log.lookedUp({ receiptNumber: 'LIN0000000002' });
  expect(await log.ids('?receiptNumber=LIN0000000002')).toEqual([id]);
  expect(await log.ids('?receiptNumber=lin-00-0000-0002')).toEqual([id]);
  expect(await log.ids('?receiptNumber=LIN0000000003')).toEqual([]);
});

test('a user is found by the id and by the beginning of the first name in any case', async () => {
  const userId = newUserId();
  const id = await log.lookedUp({ userId, userFirstName: 'Željka', source: 'user' });
  await log.lookedUp({ userId: newUserId(), userFirstName: 'Zoe', source: 'user' });
  expect(await log.ids(`?user=${userId.toUpperCase()}`)).toEqual([id]);
  expect(await log.ids(`?user=${encodeURIComponent('žEL')}`)).toEqual([id]);
  const maryAnn = await log.lookedUp({ userId: newUserId(), userFirstName: 'Mary Ann', source: 'user' });
  expect(await log.ids('?user=mary%20ann')).toEqual([maryAnn]);
  expect(await log.ids('?user=ann')).toEqual([]);
  expect(await log.ids('?user=%25')).toEqual([]);
  expect(await log.ids('?user=jka')).toEqual([]);
});

test.each([
  'limit=0',
  'limit=201',
  'offset=-1',
  'statusCode=abc',
  'success=maybe',
  'source=browser',
  'from=yesterday',
  'older=AAAA',
  'newer=nonsense',
  `older=${'A'.repeat(101)}`,
  `older=${'*'.repeat(30)}`,
  `older=${'A'.repeat(30)}&newer=${'A'.repeat(30)}`,
  `older=${'A'.repeat(30)}&offset=50`,
  `older=${'_'.repeat(29)}w`,
])('%s is refused', async (query) => {
  const answer = await log.get(`/api/admin/logs?${query}`);
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'VALIDATION' }]);
});

test.each([
  'from=0000-01-01T00:00:00Z',
  'to=9999-12-31T23:59:59-12:00',
  'from=9999-12-31T23:59:59-12:00',
  'user=%00',
  'receiptNumber=%00',
  'receiptNumber=',
  'user=',
  `older=${'A'.repeat(30)}`,
  `newer=${'A'.repeat(30)}`,
  'offset=9007199254740991',
])('%s is answered: it fits whatever it fits', async (query) => {
  for (const path of ['logs', 'audit'])
    expect((await log.get(`/api/admin/${path}?${query}`)).status).toBe(200);
});
