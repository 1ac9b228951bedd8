import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWatchLevels } from '../src/data/watch-levels.ts';
import { HOUR, startMonitoring } from './monitoring-fixture.ts';

let monitoring: Awaited<ReturnType<typeof startMonitoring>>;
beforeAll(async () => {
  monitoring = await startMonitoring();
});
afterAll(() => monitoring.stop());

const set = (receiptNumber: string, nextCheckAtMs: number, owedSinceMs: number | null) =>
  monitoring.database.query(
    `INSERT INTO monitoring.watches (receipt_number, period_days, next_check_at, owed_since) VALUES ($1, 1, $2, $3)`,
    [receiptNumber, new Date(nextCheckAtMs), owedSinceMs === null ? null : new Date(owedSinceMs)],
  );

test('a watch is late from when its check was owed, however often it has been put off since', async () => {
  const now = monitoring.clock.nowMs();
  const levels = createWatchLevels(monitoring.pool, monitoring.clock);
  expect(await levels()).toEqual({ watches: 0, due: 0, latenessSeconds: 0 });
  await set('EAC0000000001', now + HOUR, null);
  await set('EAC0000000002', now - HOUR, null);
  await set('EAC0000000003', now + HOUR, now - 3 * HOUR);
  expect(await levels(), 'asked again at once').toEqual({ watches: 0, due: 0, latenessSeconds: 0 });
  await monitoring.clock.advance(10_000);
  expect(await levels()).toEqual({ watches: 3, due: 2, latenessSeconds: 3 * 3_600 + 10 });
});

test('the connections to its database are measured', async () => {
  await monitoring.service.ready();
  expect(monitoring.service.pools.map(({ totalCount }) => totalCount > 0)).toEqual([true]);
});
