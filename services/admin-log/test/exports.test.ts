import { Writable } from 'node:stream';
import type { ApiLog } from '@casewatch/contracts/admin-log';
import { sendPieces } from '@casewatch/service-kit/http/send-pieces';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCallLog } from '../src/data/call-log.ts';
import type { CallLog } from '../src/domain/call-log.ts';
import { exportCalls } from '../src/domain/export-calls.ts';
import { ADMIN, type AdminLogFixture, newUserId, startAdminLog } from './admin-log-fixture.ts';
import { RECEIPT } from './lookup-at.ts';

const SILENT = pino({ level: 'silent' });

let log: AdminLogFixture;
beforeAll(async () => {
  log = await startAdminLog();
  // Makes the partition of the month.
  await log.lookedUp();
});
afterAll(() => log.stop());

const text = async (path: string) => (await log.get(path)).text();
const many = (count: number, receiptNumber: string, response: string) =>
  log.database.query(
    `WITH payload AS (
       INSERT INTO admin_log.payloads VALUES (sha256($3::bytea), $3, '2026-01-04') RETURNING hash)
     INSERT INTO admin_log.calls (created_at, id, receipt_number, source, success, duration_ms, queue_ms, agency_ms,
                                  agency_calls, outcome, served_stale, payload_hash)
     SELECT '2026-01-04T00:00:00Z'::timestamptz + n * interval '1 ms', gen_random_uuid(), $2, 'monitor', true, 1, 0, 1, 1,
            'answered', false, hash
     FROM payload, generate_series(1, $1::int) AS n`,
    [count, receiptNumber, response],
  );

const COLUMNS = [
  ...[
    'id',
    'createdAt',
    'endpoint',
    'receiptNumbers',
    'userId',
    'userFirstName',
    'source',
    'statusCode',
    'success',
  ],
  ...['durationMs', 'requestPayload', 'responsePayload'],
  ...['outcome', 'cause', 'code', 'reason', 'queueMs', 'agencyMs', 'agencyCalls'],
  ...['requestId', 'traceId', 'tier', 'origin', 'servedStale'],
];

test('CSV holds every fact of a call under its name, safe for spreadsheets, as a file to keep', async () => {
  const userId = newUserId();
  const id = await log.lookedUp({
    receiptNumber: 'EAC0000000101',
    userId,
    userFirstName: '=HYPERLINK("http://evil.example")',
    source: 'user',
    response: 'He said "no",\n  then hung up',
  });
  const answer = await log.get('/api/admin/logs.csv?receiptNumber=EAC0000000101');
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="casewatch-api-logs-2026-01-05.csv"',
  );
  expect((await answer.text()).split('\r\n')).toEqual([
    COLUMNS.map((name) => `"${name}"`).join(','),
    `"${id}","2026-01-05T12:00:00.000Z","GET /case-status/EAC0000000101","EAC0000000101","${userId}",` +
      `"'=HYPERLINK(""http://evil.example"")","user","200","true","0","{""receiptNumber"":""EAC0000000101""}",` +
      `"He said ""no"",\n  then hung up","answered","","","","0","0","1","","","","scheduled","false"`,
    '',
  ]);
});

test('NDJSON holds one call a line, as the list has it', async () => {
  await log.lookedUp({ receiptNumber: 'EAC0000000103' });
  await log.lookedUp({ receiptNumber: 'EAC0000000103', statusCode: 503 });
  const answer = await log.get('/api/admin/logs.ndjson?receiptNumber=EAC0000000103');
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="casewatch-api-logs-2026-01-05.ndjson"',
  );
  const lines = (await answer.text()).trimEnd().split('\n');
  const { logs } = await log.logs('?receiptNumber=EAC0000000103');
  expect(lines.map((line) => JSON.parse(line) as ApiLog)).toEqual(logs);
  expect(await text('/api/admin/logs.ndjson?receiptNumber=EAC0000000103&success=false')).toContain('503');
});

test('nothing that fits is an empty file', async () => {
  expect(await text('/api/admin/logs.ndjson?receiptNumber=EAC0000000999')).toBe('');
  expect(await text('/api/admin/logs.csv?receiptNumber=EAC0000000999')).toMatch(/^"id",.*\r\n$/);
});

test('an export of many batches holds each call once, in order, and none that is added while it runs', async () => {
  await many(1_050, 'EAC0000000104', 'x'.repeat(2_000));
  const answer = await log.get('/api/admin/logs.ndjson?receiptNumber=EAC0000000104');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  // The first batch has been read by now.
  let piece = await reader?.read();
  const late = await log.lookedUp({ receiptNumber: 'EAC0000000104' });
  let lines = '';
  for (; piece?.value !== undefined; piece = await reader?.read()) lines += piece.value;
  const calls = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ApiLog);
  const times = calls.map(({ createdAt }) => createdAt);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(1_050);
  expect(times).toEqual([...times].sort().reverse());
  expect(calls.map(({ id }) => id)).not.toContain(late);
});

test('an export is in the audit trail before its first byte, without the users it concerns', async () => {
  await log.forgetPublished();
  const userId = newUserId();
  await text(
    `/api/admin/logs.csv?receiptNumber=${RECEIPT}&success=false&user=${userId}&from=2026-01-01T00:00:00Z`,
  );
  expect(await log.published()).toEqual([
    {
      name: 'admin-acted',
      payload: {
        action: 'logs.exported',
        subject: 'logs',
        success: true,
        actor: 'passcode',
        role: 'owner',
        sessionId: ADMIN,
        address: expect.any(String),
        details: {
          format: 'csv',
          success: 'false',
          receiptNumber: 'EAC******3403',
          user: 'one',
          from: '2026-01-01T00:00:00.000Z',
        },
      },
    },
  ]);
});

test.each(['\u{1F600}', '\u{1F600}\u{1F600}', 'XYZ'])(
  'an export for %j, which begins no receipt number, is empty, and the audit trail does not repeat it',
  async (asked) => {
    await log.forgetPublished();
    const answer = await log.get(`/api/admin/logs.ndjson?receiptNumber=${encodeURIComponent(asked)}`);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(await log.published()).toMatchObject([
      { payload: { details: { receiptNumber: 'the beginning of one' } } },
    ]);
  },
);

test('what is asked in a wrong way is answered as JSON, and no export is noted', async () => {
  await log.forgetPublished();
  const answer = await log.get('/api/admin/logs.csv?source=nobody');
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'VALIDATION' }]);
  expect(await log.published()).toEqual([]);
});

test('an export reads nothing for a stalled reader, and ends when the reader disconnects', async () => {
  await many(2_000, 'EAC0000000105', 'y'.repeat(2_000));
  const { calls, reads } = countingReads();
  const reader = stalledReader();
  const pieces = exportCalls(calls, { receiptNumber: 'EAC0000000105' }, 'ndjson', 0);
  const sending = sendPieces(pieces, reader.out, SILENT);
  for (let taken = 1; taken <= 3; taken++) {
    await expect.poll(reader.isWaiting).toBe(true);
    await log.pool.query('SELECT 1');
    expect(reads()).toBeLessThanOrEqual(taken + 3);
    reader.takeOne();
  }
  await expect.poll(reader.isWaiting).toBe(true);
  reader.out.destroy();
  await sending;
  expect(reads()).toBeLessThan(8);
  expect(await pieces.next()).toEqual({ done: true, value: undefined });
});

test('an export that fails half-way does not look whole', async () => {
  await many(500, 'EAC0000000106', 'z');
  const { calls, failFrom } = countingReads();
  failFrom(2);
  const reader = stalledReader();
  const sending = sendPieces(
    exportCalls(calls, { receiptNumber: 'EAC0000000106' }, 'ndjson', 0),
    reader.out,
    SILENT,
  );
  await expect.poll(reader.isWaiting).toBe(true);
  reader.takeOne();
  await sending;
  expect([reader.out.destroyed, reader.out.writableFinished]).toEqual([true, false]);
});

/** The real log; how often it is read, and from which read on it fails. */
function countingReads() {
  let reads = 0;
  let failing = Number.POSITIVE_INFINITY;
  const real = createCallLog(log.pool);
  const calls: CallLog = {
    ...real,
    older: async (...asked) => {
      reads++;
      if (reads >= failing) throw new Error('on purpose');
      return real.older(...asked);
    },
  };
  return {
    calls,
    reads: () => reads,
    failFrom: (read: number) => {
      failing = read;
    },
  };
}

/** Takes a piece only on demand. */
function stalledReader() {
  const waiting: (() => void)[] = [];
  const out = new Writable({ highWaterMark: 1, write: (_piece, _encoding, done) => void waiting.push(done) });
  out.on('error', () => undefined);
  return { out, isWaiting: () => waiting.length > 0, takeOne: () => waiting.shift()?.() };
}
