import { randomUUID } from 'node:crypto';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordCalls } from '../src/data/record-calls.ts';
import { toCall } from '../src/domain/call.ts';
import { type AdminLogFixture, newUserId, startAdminLog } from './admin-log-fixture.ts';
import { callOfUser, RECEIPT } from './call-of-user.ts';

let log: AdminLogFixture;
beforeAll(async () => {
  log = await startAdminLog();
});
afterAll(() => log.stop());

test('a call of the agency is in the log with everything that is known of it', async () => {
  const userId = newUserId();
  const id = await log.agencyCalled({
    receiptNumbers: ['IOE0000000001'],
    userId,
    userFirstName: 'Pat',
    source: 'user',
    durationMs: 120,
    calledAt: '2026-01-05T11:59:58.000Z',
  });
  expect(await log.logs('?receiptNumber=IOE0000000001')).toEqual({
    logs: [
      {
        id,
        createdAt: '2026-01-05T11:59:58.120Z',
        endpoint: `GET /case-status/${RECEIPT}`,
        receiptNumbers: ['IOE0000000001'],
        userId,
        userFirstName: 'Pat',
        source: 'user',
        statusCode: 200,
        success: true,
        durationMs: 120,
        requestPayload: { receiptNumber: RECEIPT },
        responsePayload: '{"case_status":{}}',
        place: expect.any(String),
        outcome: 'answered',
        cause: null,
        code: null,
        reason: null,
        queueMs: null,
        agencyMs: null,
        agencyCalls: 1,
        requestId: null,
        traceId: null,
        tier: null,
        origin: null,
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
  await log.agencyCalled({
    receiptNumbers: ['IOE0000000002'],
    statusCode: undefined,
    success: false,
    responsePayload: 'timeout: TimeoutError',
  });
  expect((await log.logs('?receiptNumber=IOE0000000002')).logs).toMatchObject([
    { statusCode: null, success: false, userId: null, userFirstName: null, source: 'monitor' },
  ]);
});

test('a row of an older version is shown as one call, and what came of it follows from its status', async () => {
  await log.agencyCalled();
  await log.database.query(
    `WITH made AS (
       INSERT INTO admin_log.calls (created_at, id, endpoint, receipt_numbers, source, success, status_code, duration_ms)
       VALUES ('2026-01-05T11:00:00Z', gen_random_uuid(), 'x', '{IOE0000000005}', 'monitor', false, 404, 1)
       RETURNING created_at, id)
     INSERT INTO admin_log.call_receipts SELECT 'IOE0000000005', created_at, id FROM made`,
  );
  expect((await log.logs('?receiptNumber=IOE0000000005')).logs).toMatchObject([
    {
      outcome: 'not-recognized',
      cause: 'user',
      agencyCalls: 1,
      servedStale: false,
      earlierCalls: [],
      tier: null,
    },
  ]);
});

test('words of a newer version that are not known are left out', async () => {
  const receiptNumbers = ['IOE0000000006'];
  const words = { outcome: 'dreamt', code: 'dreamt', tier: 'gold', origin: 'dream' };
  await log.agencyCalled({ receiptNumbers, ...words, success: false, statusCode: 503 });
  expect((await log.logs('?receiptNumber=IOE0000000006')).logs).toMatchObject([
    { outcome: 'fault', cause: 'agency', code: 'dreamt', reason: null, tier: null, origin: null },
  ]);
});

test('what one event makes the log store is bounded, and ids that are none are left out', async () => {
  const receiptNumbers = Array.from({ length: 120 }, (_, nth) => `IOE${9_000_000_000 + nth}`);
  const earlier = { code: 'c'.repeat(60), durationMs: -1, responsePayload: 'r'.repeat(10_001) };
  await log.agencyCalled({
    receiptNumbers: [...receiptNumbers, ...receiptNumbers],
    endpoint: 'e'.repeat(301),
    userFirstName: 'n'.repeat(101),
    responsePayload: 'r'.repeat(10_001),
    durationMs: -1,
    code: 'c'.repeat(51),
    agencyCalls: 101,
    requestId: 'not an id',
    traceId: 'g'.repeat(32),
    earlierCalls: Array.from({ length: 6 }, () => earlier),
  });
  await log.agencyCalled({
    receiptNumbers: ['IOE9000000000'],
    agencyCalls: -1,
    requestId: '7B0F1A52-5c0e-4f0a-9a75-0d7c1f0c3a11',
    traceId: 'ABCDEF'.padEnd(32, '0'),
  });
  const cut = (character: string, length: number) => `${character.repeat(length)}…`;
  const { logs } = await log.logs('?receiptNumber=IOE9000000000');
  expect(logs.find(({ agencyCalls }) => agencyCalls === 100)).toMatchObject({
    receiptNumbers: receiptNumbers.slice(0, 100),
    endpoint: cut('e', 300),
    userFirstName: cut('n', 100),
    responsePayload: cut('r', 10_000),
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
  });
  expect(logs.find(({ agencyCalls }) => agencyCalls === 0)).toMatchObject({
    requestId: '7b0f1a52-5c0e-4f0a-9a75-0d7c1f0c3a11',
    traceId: 'abcdef'.padEnd(32, '0'),
  });
});

test('a call that comes again, one after the other or at once, is one row and counted once', async () => {
  const receiptNumbers = ['IOE0000000003'];
  const eventId = await log.agencyCalled({ receiptNumbers }).then(() => randomUUID());
  const callId = randomUUID();
  const calledAt = '2026-01-02T03:04:05.000Z';
  const before = (await log.logs()).totalCount;
  await Promise.all([1, 2, 3].map(() => log.agencyCalled({ callId, eventId, receiptNumbers, calledAt })));
  await log.database.query('DELETE FROM admin_log.inbox');
  await log.agencyCalled({ callId, eventId, receiptNumbers, calledAt });
  expect(await log.ids(`?receiptNumber=${receiptNumbers}&to=2026-01-03T00:00:00Z`)).toEqual([callId]);
  expect((await log.logs()).totalCount).toBe(before + 1);
});

test('calls that come in one event are a row each, once, also where the event comes again or a call by itself', async () => {
  const before = (await log.logs()).totalCount;
  const calls = ['IOE0000000031', 'IOE0000000032', 'IOE0000000033'].map((receiptNumber) => ({
    callId: randomUUID(),
    receiptNumbers: [receiptNumber],
    responsePayload: `answer to ${receiptNumber}`,
  }));
  await log.agencyCallsRecorded(calls);
  await log.agencyCallsRecorded(calls);
  await log.agencyCalled(calls[0]);
  expect((await log.logs()).totalCount).toBe(before + 3);
  for (const { callId, receiptNumbers, responsePayload } of calls)
    expect((await log.logs(`?receiptNumber=${receiptNumbers}`)).logs).toMatchObject([
      { id: callId, responsePayload },
    ]);
});

test('events of calls that come together are stored in one transaction', async () => {
  const before = (await log.logs()).totalCount;
  const events = await Promise.all(
    [3, 300, 300].map((calls) => log.agencyCallsRecorded(Array(calls).fill({}))),
  );
  const transactions = await log.database.query<{ calls: number }>(
    'SELECT count(*)::int AS calls FROM admin_log.calls WHERE id = ANY ($1::uuid[]) GROUP BY xmin',
    [events.flat()],
  );
  expect(transactions).toEqual([{ calls: 603 }]);
  expect((await log.logs()).totalCount).toBe(before + 603);
});

test('an event of calls with one of unknown source is kept as a dead letter, as a whole', async () => {
  const before = (await log.logs()).totalCount;
  await log.agencyCallsRecorded([{ source: 'user' }, { source: 'dreamt' }]);
  expect((await log.logs()).totalCount).toBe(before);
  expect(await log.database.query('SELECT topic, error FROM admin_log.dead_letters')).toMatchObject([
    { topic: 'agency-calls-recorded', error: expect.stringContaining('source is not one of user, monitor') },
  ]);
});

test('a call that is twice in one batch is one row and counted once', async () => {
  const call = toCall({ ...callOfUser(log.clock.nowMs()), receiptNumbers: ['IOE0000000004'] });
  const before = (await log.logs()).totalCount;
  await inTransaction(log.pool, (tx) => recordCalls(tx, [call, call], 0));
  expect(await log.ids('?receiptNumber=IOE0000000004')).toEqual([call.id]);
  expect((await log.logs()).totalCount).toBe(before + 1);
});

test('one call of several receipt numbers is found by each of them, also as people write them', async () => {
  const id = await log.agencyCalled({ receiptNumbers: ['LIN0000000001', 'LIN0000000002'] });
  expect(await log.ids('?receiptNumber=LIN0000000001')).toEqual([id]);
  expect(await log.ids('?receiptNumber=lin-00-0000-0002')).toEqual([id]);
  expect(await log.ids('?receiptNumber=LIN0000000003')).toEqual([]);
});

test('a user is found by the id and by the beginning of the first name in any case', async () => {
  const userId = newUserId();
  const id = await log.agencyCalled({ userId, userFirstName: 'Željka', source: 'user' });
  await log.agencyCalled({ userId: newUserId(), userFirstName: 'Zoe', source: 'user' });
  expect(await log.ids(`?user=${userId.toUpperCase()}`)).toEqual([id]);
  expect(await log.ids(`?user=${encodeURIComponent('žEL')}`)).toEqual([id]);
  const maryAnn = await log.agencyCalled({ userId: newUserId(), userFirstName: 'Mary Ann', source: 'user' });
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

test('what an event can make the log store is bounded', async () => {
  await log.agencyCalled({
    receiptNumbers: ['IOE0000000009'],
    requestPayload: 'no JSON',
    responsePayload: `${'x'.repeat(9_999)}😀${'y'.repeat(1_000_000)}`,
  });
  const [call] = (await log.logs('?receiptNumber=IOE0000000009')).logs;
  expect(call?.requestPayload).toBe('no JSON');
  expect(call?.responsePayload).toHaveLength(10_001);
});
