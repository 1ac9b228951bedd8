import { createHash } from 'node:crypto';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { afterEach, expect, test } from 'vitest';
import { createLogMaintenance } from '../src/data/log-maintenance.ts';
import { callRecorder } from '../src/data/record-calls.ts';
import { toCall } from '../src/domain/call.ts';
import { type AdminLogFixture, startAdminLog } from './admin-log-fixture.ts';
import { lookupAt } from './lookup-at.ts';

const DAY_MS = 86_400_000;

let log: AdminLogFixture;
afterEach(() => log.stop());

const months = async (family = 'calls') => {
  const rows = await log.database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = $1::regclass ORDER BY relname`,
    [`admin_log.${family}`],
  );
  return rows.map(({ name }) => name.slice(family.length + 1));
};
/** Moves the clock, then on by the hour until the job, which does its work once in an hour, has done it. */
const until = async (ms: number, done: () => Promise<unknown>) => {
  await log.clock.advance(ms);
  const anHourLater = async () => {
    await log.clock.advance(3_600_000);
    return done();
  };
  await expect.poll(anHourLater, { timeout: 10_000 }).toBe(true);
};
const payloads = async () =>
  (await log.database.query<{ count: number }>('SELECT count(*)::int AS count FROM admin_log.payloads'))[0]
    ?.count;

test('a role that may not change tables has the months that come made, and the job makes them ahead', async () => {
  log = await startAdminLog();
  await expect.poll(() => months()).toEqual(['2026_01', '2026_02', '2026_03']);
  await expect(log.pool.query('CREATE TABLE admin_log.mine ()')).rejects.toThrow('permission denied');
  await expect(log.pool.query('DROP TABLE admin_log.calls_2026_01')).rejects.toThrow('must be owner');
  await until(27 * DAY_MS, async () => (await months()).includes('2026_04'));
});

test('only the service may create or drop months', async () => {
  log = await startAdminLog({ job: false });
  const rows = await log.database.query(
    `SELECT proname, has_function_privilege('casewatch_admin_log', oid, 'execute') AS own,
            has_function_privilege('casewatch_cases', oid, 'execute') AS other, prosecdef,
            proconfig @> ARRAY['search_path=pg_catalog, admin_log, pg_temp'] AS fixed
     FROM pg_proc WHERE proname IN ('ensure_log_month', 'drop_log_months') ORDER BY proname`,
  );
  const rights = { own: true, other: false, prosecdef: true, fixed: true };
  expect(rows).toEqual([
    { proname: 'drop_log_months', ...rights },
    { proname: 'ensure_log_month', ...rights },
  ]);
});

test('nothing is lost when the month of a call has not been made', async () => {
  log = await startAdminLog({ job: false });
  const ids = await Promise.all(
    ['2025-03-31T23:59:59.999Z', '2025-04-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z'].map((endedAt) =>
      log.lookedUp({ endedAt }),
    ),
  );
  expect(await log.ids()).toEqual(ids.reverse());
  expect(await months()).toEqual(['2025_03', '2025_04', '2026_01']);
});

test('a lookup shows its payload for 90 days; the payload is removed two days later, and the row stays', async () => {
  log = await startAdminLog();
  const calls = [
    { statusCode: 503, code: 'unavailable', durationMs: 20, response: 'closed' },
    { statusCode: 200, durationMs: 20, response: 'open' },
  ];
  const id = await log.lookedUp({ receiptNumber: 'EAC0000000001', calls });
  await log.clock.advance(90 * DAY_MS);
  const requestPayload = { receiptNumber: 'EAC0000000001' };
  expect((await log.logs()).logs).toMatchObject([
    { id, requestPayload, responsePayload: 'open', earlierCalls: [{ responsePayload: 'closed' }] },
  ]);
  await log.clock.advance(1);
  const { logs } = await log.logs();
  const earlierCalls = [{ statusCode: 503, responsePayload: null }];
  const without = { id, requestPayload, responsePayload: null, earlierCalls };
  expect(logs).toMatchObject([without]);
  expect(await (await log.get(`/api/admin/logs/rows/${logs[0]?.place}`)).json()).toMatchObject(without);
  expect(await (await log.get('/api/admin/logs.ndjson')).json()).toMatchObject(without);
  expect(await payloads()).toBe(2);
  await until(2 * DAY_MS, async () => (await payloads()) === 0);
  expect(await log.ids('?receiptNumber=EAC0000000001')).toEqual([id]);
});

test('a payload that comes again is stored once, and each lookup shows it for its own 90 days', async () => {
  log = await startAdminLog();
  const first = await log.lookedUp();
  await log.clock.advance(60 * DAY_MS);
  const again = await log.lookedUp();
  expect(await payloads()).toBe(1);
  const shown = async () => (await log.logs()).logs.map(({ id, responsePayload }) => [id, responsePayload]);
  const text = '{"case_status":{}}';
  expect(await shown()).toEqual([
    [again, text],
    [first, text],
  ]);
  await until(33 * DAY_MS, async () => (await log.logs()).logs[1]?.responsePayload === null);
  expect(await shown()).toEqual([
    [again, text],
    [first, null],
  ]);
  expect(await payloads()).toBe(1);
  await until(60 * DAY_MS, async () => (await payloads()) === 0);
});

test('the last day of a payload is the newest of its lookups, in whatever order their events come', async () => {
  log = await startAdminLog({ job: false });
  const days = ['2026-01-03', '2026-01-05', '2026-01-04', '2026-01-05'];
  for (const day of days) await log.lookedUp({ endedAt: `${day}T10:00:00.000Z` });
  const rows = () =>
    log.database.query(
      "SELECT last_seen::text, encode(hash, 'hex') AS hash, xmin::text FROM admin_log.payloads",
    );
  const before = await rows();
  const hash = createHash('sha256').update('{"case_status":{}}').digest('hex');
  expect(before).toMatchObject([{ last_seen: '2026-01-05', hash }]);
  // Not even locked: nothing is written for a payload that was seen on that day.
  await log.lookedUp({ endedAt: '2026-01-05T11:00:00.000Z' });
  expect(await rows()).toEqual(before);
});

test('a payload that is being removed is stored again for the lookup that got it', async () => {
  log = await startAdminLog({ job: false });
  const maintenance = createLogMaintenance(log.pool);
  await log.lookedUp({ endedAt: '2025-10-01T00:00:00.000Z' });
  const storing = log.pool.connect().then(async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM payloads FOR UPDATE');
    expect(await maintenance.removePayloadsBefore('2026-01-01', 10)).toBe(0);
    await client.query('COMMIT');
    client.release();
  });
  await storing;
  expect(await maintenance.removePayloadsBefore('2026-01-01', 10)).toBe(1);
  await log.lookedUp();
  expect((await log.logs('?from=2026-01-01T00:00:00Z')).logs).toMatchObject([
    { responsePayload: '{"case_status":{}}' },
  ]);
});

test('a batch locks payloads in the order of their hashes: two of them never wait for each other in a circle', async () => {
  log = await startAdminLog({ job: false });
  const pages = Array.from({ length: 50 }, (_, nth) => `page ${nth}`);
  const batch = (endedAtMs: number) =>
    inTransaction(log.pool, (tx) =>
      callRecorder.record(
        tx,
        pages.map((response) => toCall(lookupAt(endedAtMs, { response }))),
        0,
      ),
    );
  await batch(log.clock.nowMs());
  const holder = await log.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM payloads ORDER BY hash LIMIT 1 FOR UPDATE');
  const storing = batch(log.clock.nowMs() + DAY_MS);
  const waiting = () =>
    log.database.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
  await expect.poll(waiting).toHaveLength(1);
  await holder.query('SELECT FROM payloads ORDER BY hash FOR UPDATE NOWAIT');
  await holder.query('COMMIT');
  holder.release();
  await storing;
  expect(await payloads()).toBe(50);
});

test('months older than 13 are dropped with what was counted of them; the audit trail goes with them', async () => {
  log = await startAdminLog();
  await log.lookedUp();
  const auditId = await log.adminActed();
  await log.clock.advance(365 * DAY_MS);
  const later = await log.lookedUp();
  expect((await log.logs()).totalCount).toBe(2);
  expect((await log.audit()).entries.map(({ id }) => id)).toEqual([auditId]);
  await until(57 * DAY_MS, async () => !(await months()).includes('2026_01'));
  expect(await log.logs()).toMatchObject({ totalCount: 1, logs: [{ id: later }] });
  expect((await log.audit()).entries).toEqual([]);
});

test('a call that is older than what is kept is not stored', async () => {
  log = await startAdminLog({ job: false });
  await log.lookedUp({ endedAt: '2024-11-30T23:59:59.999Z' });
  const kept = await log.lookedUp({ endedAt: '2024-12-01T00:00:00.000Z' });
  expect(await log.logs()).toMatchObject({ totalCount: 1, logs: [{ id: kept }] });
  expect(await months()).toEqual(['2024_12']);
});

test('retention is configurable', async () => {
  log = await startAdminLog({ env: { LOG_PAYLOAD_DAYS: '1', LOG_ROW_MONTHS: '1' } });
  await log.lookedUp();
  await until(3 * DAY_MS + 1 + 3_600_000, async () => (await payloads()) === 0);
  expect((await log.logs()).logs).toMatchObject([{ responsePayload: null }]);
  await until(60 * DAY_MS, async () => (await log.logs()).totalCount === 0);
});

const rows = async (table: string) =>
  (await log.database.query<{ count: number }>(`SELECT count(*)::int AS count FROM admin_log.${table}`))[0]
    ?.count;

test('a month is dropped with what was counted of it', async () => {
  log = await startAdminLog({ job: false });
  const maintenance = createLogMaintenance(log.pool);
  await log.lookedUp({ endedAt: '2025-03-31T23:59:59.999Z' });
  await log.lookedUp({ endedAt: '2025-04-01T00:00:00.000Z' });
  await maintenance.dropMonthsBefore(Date.parse('2025-04-01T00:00:00Z'));
  expect(await months()).toEqual(['2025_04']);
  expect(await rows('call_counts')).toBe(2);
  expect((await log.logs()).totalCount).toBe(1);
});

test('counts that only the overview reads are removed by their time', async () => {
  log = await startAdminLog({ job: false });
  const maintenance = createLogMaintenance(log.pool);
  await log.lookedUp({ origin: 'single' });
  const left = () =>
    Promise.all(['call_durations', 'receipt_counts', 'outcome_counts', 'call_counts'].map(rows));
  await maintenance.removeRecentCountsBefore(Date.parse('2026-01-05T00:00:00Z'));
  expect(await left()).toEqual([1, 1, 1, 2]);
  await maintenance.removeRecentCountsBefore(Date.parse('2026-01-05T12:00:00Z'));
  expect(await left()).toEqual([1, 0, 1, 2]);
  await maintenance.removeRecentCountsBefore(Date.parse('2026-01-05T12:00:00.001Z'));
  expect(await left()).toEqual([0, 0, 0, 2]);
});

test('payloads and entries of the trail are removed from the oldest on, as many as are asked for', async () => {
  log = await startAdminLog({ job: false });
  const maintenance = createLogMaintenance(log.pool);
  const begunMs = log.clock.nowMs();
  const calls: string[] = [];
  const actions: string[] = [];
  for (let nth = 0; nth < 4; nth++) {
    calls.push(await log.lookedUp({ response: `answer ${nth}` }));
    actions.push(await log.adminActed());
    await log.clock.advance(DAY_MS);
  }
  const before = new Date(begunMs + 3 * DAY_MS).toISOString().slice(0, 10);
  expect(await maintenance.removePayloadsBefore(before, 2)).toBe(2);
  expect((await log.logs()).logs.map(({ id, responsePayload }) => [id, responsePayload !== null])).toEqual(
    calls.map((id, nth) => [id, nth >= 2]).reverse(),
  );
  expect(await maintenance.removePayloadsBefore(before, 2)).toBe(1);
  expect(await maintenance.removePayloadsBefore(before, 2)).toBe(0);
  const kept = async () => (await log.audit()).entries.map(({ id }) => id).reverse();
  const beforeMs = begunMs + 3 * DAY_MS;
  expect(await maintenance.removeAuditBefore(beforeMs, 2)).toBe(2);
  expect(await kept()).toEqual(actions.slice(2));
  expect(await maintenance.removeAuditBefore(beforeMs, 2)).toBe(1);
  expect(await maintenance.removeAuditBefore(beforeMs, 2)).toBe(0);
  expect(await kept()).toEqual(actions.slice(3));
});
