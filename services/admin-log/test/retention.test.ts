import { afterEach, expect, test } from 'vitest';
import { createLogMaintenance } from '../src/data/log-maintenance.ts';
import { type AdminLogFixture, startAdminLog } from './admin-log-fixture.ts';

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
  (
    await log.database.query<{ count: number }>('SELECT count(*)::int AS count FROM admin_log.call_payloads')
  )[0]?.count;

test('a role that may not change tables has the months that come made, and the job makes them ahead', async () => {
  log = await startAdminLog();
  await expect.poll(() => months()).toEqual(['2026_01', '2026_02', '2026_03']);
  await expect.poll(() => months('call_payloads')).toEqual(['2026_01', '2026_02', '2026_03']);
  await expect(log.pool.query('CREATE TABLE admin_log.mine ()')).rejects.toThrow('permission denied');
  await expect(log.pool.query('DROP TABLE admin_log.calls_2026_01')).rejects.toThrow('must be owner');
  await expect(log.pool.query(`SELECT drop_log_months('audit_entries', '2030-01-01')`)).rejects.toThrow(
    'audit_entries is no table of the log',
  );
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
    ['2025-03-31T23:59:59.999Z', '2025-04-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z'].map((calledAt) =>
      log.agencyCalled({ calledAt }),
    ),
  );
  expect(await log.ids()).toEqual(ids.reverse());
  expect(await months()).toEqual(['2025_03', '2025_04', '2026_01']);
});

test('payloads are kept for 90 days, their calls longer', async () => {
  log = await startAdminLog();
  const id = await log.agencyCalled({ receiptNumbers: ['EAC0000000001'] });
  await log.clock.advance(90 * DAY_MS);
  expect((await log.logs()).logs).toMatchObject([{ id, responsePayload: expect.any(String) }]);
  await log.clock.advance(1);
  const { logs } = await log.logs();
  const without = { id, requestPayload: null, responsePayload: null };
  expect(logs).toMatchObject([without]);
  expect(await (await log.get(`/api/admin/logs/rows/${logs[0]?.place}`)).json()).toMatchObject(without);
  expect(await (await log.get('/api/admin/logs.ndjson')).json()).toMatchObject(without);
  // For checks of the next days that got the same answer.
  await until(7 * DAY_MS, async () => (await payloads()) === 1);
  await until(DAY_MS, async () => (await payloads()) === 0);
  expect(await log.ids('?receiptNumber=EAC0000000001')).toEqual([id]);
  await until(40 * DAY_MS, async () => !(await months('call_payloads')).includes('2026_01'));
  expect(await months()).toContain('2026_01');
});

test('an answer that came again is shown with its check for 90 days, whenever it came first', async () => {
  log = await startAdminLog();
  const first = await log.agencyCalled({
    earlierCalls: [{ statusCode: 503, code: 'unavailable', durationMs: 20, responsePayload: 'closed' }],
  });
  const sameAnswer = { callId: first, endedAt: new Date(log.clock.nowMs()).toISOString() };
  await log.clock.advance(7 * DAY_MS);
  const [again] = await log.agencyCallsRecorded([{ sameAnswer, responsePayload: '', durationMs: 20 }]);
  expect(await payloads()).toBe(1);
  const answer = {
    requestPayload: { receiptNumber: 'EAC9999103403' },
    responsePayload: '{"case_status":{}}',
  };
  const both = [
    { id: again, ...answer, earlierCalls: [] },
    { id: first, ...answer, earlierCalls: [{ code: 'unavailable' }] },
  ];
  const { logs } = await log.logs();
  expect(logs).toMatchObject(both);
  expect(await (await log.get(`/api/admin/logs/rows/${logs[0]?.place}`)).json()).toMatchObject(both[0] ?? {});
  const exported = await (await log.get('/api/admin/logs.ndjson')).text();
  expect(
    exported
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject(both);
  await until(89 * DAY_MS, async () => (await log.logs()).logs[1]?.responsePayload === null);
  expect((await log.logs()).logs[0]).toMatchObject({ id: again, ...answer });
  await until(DAY_MS, async () => (await log.logs()).logs[0]?.responsePayload === null);
});

test('months older than 13 are dropped with what was counted of them; the audit trail goes with them', async () => {
  log = await startAdminLog();
  await log.agencyCalled();
  const auditId = await log.adminActed();
  await log.clock.advance(365 * DAY_MS);
  const later = await log.agencyCalled();
  expect((await log.logs()).totalCount).toBe(2);
  expect((await log.audit()).entries.map(({ id }) => id)).toEqual([auditId]);
  await until(57 * DAY_MS, async () => !(await months()).includes('2026_01'));
  expect(await log.logs()).toMatchObject({ totalCount: 1, logs: [{ id: later }] });
  expect((await log.audit()).entries).toEqual([]);
  expect(await months('call_receipts')).not.toContain('2026_01');
});

test('a call that is older than what is kept is not stored', async () => {
  log = await startAdminLog({ job: false });
  await log.agencyCalled({ calledAt: '2024-11-30T23:59:59.999Z' });
  const kept = await log.agencyCalled({ calledAt: '2024-12-01T00:00:00.000Z' });
  expect(await log.logs()).toMatchObject({ totalCount: 1, logs: [{ id: kept }] });
  expect(await months()).toEqual(['2024_12']);
});

test('retention is configurable', async () => {
  log = await startAdminLog({ env: { LOG_PAYLOAD_DAYS: '1', LOG_ROW_MONTHS: '1' } });
  await log.agencyCalled();
  await until(9 * DAY_MS + 1 + 3_600_000, async () => (await payloads()) === 0);
  expect((await log.logs()).logs).toMatchObject([{ responsePayload: null }]);
  await until(60 * DAY_MS, async () => (await log.logs()).totalCount === 0);
});

const rows = async (table: string) =>
  (await log.database.query<{ count: number }>(`SELECT count(*)::int AS count FROM admin_log.${table}`))[0]
    ?.count;

test('a month is dropped with everything that belongs to it, but for payloads that the next one may name', async () => {
  log = await startAdminLog({ job: false, env: { LOG_PAYLOAD_DAYS: '3650' } });
  const maintenance = createLogMaintenance(log.pool);
  await log.agencyCalled({ calledAt: '2025-03-31T23:59:59.999Z' });
  await log.agencyCalled({ calledAt: '2025-04-01T00:00:00.000Z' });
  const families = ['calls', 'call_receipts', 'call_payloads'];
  await maintenance.dropMonthsBefore(Date.parse('2025-04-01T00:00:00Z'));
  expect(await Promise.all(families.map(months))).toEqual([['2025_04'], ['2025_04'], ['2025_03', '2025_04']]);
  expect(await rows('call_counts')).toBe(2);
  expect((await log.logs()).totalCount).toBe(1);
  await maintenance.dropPayloadMonthsBefore(Date.parse('2025-05-01T00:00:00Z'));
  expect(await Promise.all(families.map(months))).toEqual([['2025_04'], ['2025_04'], []]);
});

test('counts that only the overview reads are removed by their time', async () => {
  log = await startAdminLog({ job: false });
  const maintenance = createLogMaintenance(log.pool);
  await log.agencyCalled();
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
    calls.push(await log.agencyCalled());
    actions.push(await log.adminActed());
    await log.clock.advance(1_000);
  }
  const beforeMs = begunMs + 3_000;
  expect(await maintenance.removePayloadsBefore(beforeMs, 2)).toBe(2);
  expect((await log.logs()).logs.map(({ id, responsePayload }) => [id, responsePayload !== null])).toEqual(
    calls.map((id, nth) => [id, nth >= 2]).reverse(),
  );
  expect(await maintenance.removePayloadsBefore(beforeMs, 2)).toBe(1);
  expect(await maintenance.removePayloadsBefore(beforeMs, 2)).toBe(0);
  const kept = async () => (await log.audit()).entries.map(({ id }) => id).reverse();
  expect(await maintenance.removeAuditBefore(beforeMs, 2)).toBe(2);
  expect(await kept()).toEqual(actions.slice(2));
  expect(await maintenance.removeAuditBefore(beforeMs, 2)).toBe(1);
  expect(await maintenance.removeAuditBefore(beforeMs, 2)).toBe(0);
  expect(await kept()).toEqual(actions.slice(3));
});
