import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AdminLogFixture, startAdminLog } from './admin-log-fixture.ts';

let log: AdminLogFixture;
beforeEach(async () => {
  log = await startAdminLog();
});
afterEach(() => log.stop());

const ids = (page: { logs: { id: string }[] }) => page.logs.map(({ id }) => id);

async function make(count: number): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n++) {
    await log.clock.advance(10);
    made.unshift(await log.lookedUp());
  }
  return made;
}

test('paging towards the past misses nothing and repeats nothing while calls arrive', async () => {
  const before = await make(20);
  const first = await log.logs('?limit=8');
  await make(5);
  const second = await log.logs(`?limit=8&older=${first.older}`);
  await make(5);
  const third = await log.logs(`?limit=8&older=${second.older}`);
  expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(before);
  expect(third.older).toBeNull();
});

test('paging towards newer calls returns each once, the nearest first where there are many', async () => {
  await make(3);
  const page = await log.logs();
  const quiet = await log.logs(`?newer=${page.newer}`);
  expect(quiet.logs).toEqual([]);
  const added = await make(5);
  const one = await log.logs(`?limit=3&newer=${quiet.newer}`);
  expect(ids(one)).toEqual(added.slice(2));
  const two = await log.logs(`?limit=3&newer=${one.newer}`);
  expect(ids(two)).toEqual(added.slice(0, 2));
  expect((await log.logs(`?newer=${two.newer}`)).logs).toEqual([]);
  expect(two.totalCount).toBe(8);
});

test('a log without calls has no cursors; the first call is then newer than nothing', async () => {
  expect(await log.logs()).toEqual({ logs: [], totalCount: 0, totalIsExact: true, older: null, newer: null });
  const [id] = await make(1);
  expect(ids(await log.logs())).toEqual([id]);
});

test('a cursor is valid even after its call was removed', async () => {
  const made = await make(4);
  const { older } = await log.logs('?limit=2');
  await log.database.query('DELETE FROM admin_log.calls WHERE id = $1', [made[1]]);
  expect(ids(await log.logs(`?older=${older}`))).toEqual(made.slice(2));
});

test('beyond 10,000 matches of a receipt number the total is a bound and says so', async () => {
  await log.lookedUp({ receiptNumber: 'EAC0000000001' });
  await log.database.query(
    `INSERT INTO admin_log.calls (created_at, id, receipt_number, source, success, duration_ms, queue_ms, agency_ms,
                                  agency_calls, outcome, served_stale)
     SELECT '2026-01-04T00:00:00Z'::timestamptz + n * interval '1 ms', gen_random_uuid(), 'EAC0000000001', 'monitor', true,
            1, 0, 0, 0, 'stored', false
     FROM generate_series(1, 10100) AS n`,
  );
  const query = '?receiptNumber=EAC0000000001&limit=50';
  expect(await log.logs(query)).toMatchObject({ totalCount: 10_000, totalIsExact: false });
  const beyond = await log.logs(`${query}&offset=10000`);
  expect(beyond).toMatchObject({ totalCount: 10_050, totalIsExact: false });
  expect(beyond.logs).toHaveLength(50);
  expect(await log.logs(`${query}&offset=10100`)).toMatchObject({ totalCount: 10_101, totalIsExact: true });
});
