import { forThisFile } from '@casewatch/testing/for-this-file';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { beforeEach, expect, test, vi } from 'vitest';
import { createWatchLevels } from '../src/data/watch-levels.ts';
import { HOUR, receipt, startMonitoring, user } from './monitoring-fixture.ts';

const monitoring = await forThisFile(startMonitoring());

beforeEach(() => monitoring.database.query('TRUNCATE monitoring.watches'));

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
  const early = createWatchLevels(monitoring.pool, monitoring.clock);
  expect(await early(), 'nothing is due').toEqual({ watches: 1, due: 0, latenessSeconds: 0 });
  await set('EAC0000000002', now - HOUR, null);
  await set('EAC0000000003', now + HOUR, now - 3 * HOUR);
  await monitoring.clock.advance(9_999);
  expect(await levels(), 'asked again soon').toEqual({ watches: 0, due: 0, latenessSeconds: 0 });
  await monitoring.clock.advance(1);
  expect(await levels()).toEqual({ watches: 3, due: 2, latenessSeconds: 3 * 3_600 + 10 });
});

test('levels are read again after ten seconds, also where the clock was set back', async () => {
  const levels = createWatchLevels(monitoring.pool, monitoring.clock);
  expect(await levels()).toMatchObject({ watches: 0 });
  await set('EAC0000000001', monitoring.clock.nowMs(), null);
  await monitoring.clock.jump(-HOUR);
  await levels();
  await monitoring.clock.advance(10_000);
  expect(await levels()).toMatchObject({ watches: 1 });
  await monitoring.clock.jump(HOUR);
});

test('levels that cannot be read are read again at once', async () => {
  const levels = createWatchLevels(monitoring.pool, monitoring.clock);
  await monitoring.database.query('ALTER TABLE monitoring.watches RENAME TO unavailable');
  await expect(levels()).rejects.toThrow('watches');
  await monitoring.database.query('ALTER TABLE monitoring.unavailable RENAME TO watches');
  expect((await levels()).watches).toBeGreaterThanOrEqual(0);
});

test('operators see watches, what is due and how late it is, and checks by their outcome', async () => {
  const telemetry = await startScraped();
  const watched = await startMonitoring({ telemetry });
  try {
    await watched.requestWatch(user(1), receipt(1), 'daily');
    await watched.clock.advance(5_000);
    await watched.requestWatch(user(1), receipt(2), 'daily');
    watched.cases.answer(receipt(1), { outcome: 'not-recognized' });
    const checks = (outcome: string) => `casewatch_checks_total{outcome="${outcome}"}`;
    expect(await telemetry.scrape()).toMatchObject({
      casewatch_watches: 2,
      casewatch_watches_due: 2,
      casewatch_watch_lateness_seconds: 5,
      [checks('observed')]: 0,
      [checks('not_recognized')]: 0,
      [checks('refused')]: 0,
      [checks('failed')]: 0,
      [checks('no_budget')]: 0,
      [checks('unasked')]: 0,
    });
    watched.job.start();
    await vi.waitFor(
      async () =>
        expect(await telemetry.scrape()).toMatchObject({
          [checks('observed')]: 1,
          [checks('not_recognized')]: 1,
        }),
      { timeout: 10_000 },
    );
  } finally {
    await watched.stop();
    await telemetry.stop();
  }
});

test('the connections to its database are measured', async () => {
  await monitoring.service.ready();
  expect(monitoring.service.pools.map(({ totalCount }) => totalCount > 0)).toEqual([true]);
});
