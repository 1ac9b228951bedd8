import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { createSchedule } from '../src/data/schedule.ts';
import { nextCheckMs, nextTryMs } from '../src/domain/check-times.ts';
import { receipt, startMonitoring } from './monitoring-fixture.ts';

const monitoring = await forThisFile(startMonitoring());

const AT_MS = Date.parse('2026-01-05T12:00:00Z');
const at = `'${new Date(AT_MS).toISOString()}'::timestamptz`;

/** What the SQL says of a watch that is given as a row. */
function fromSql(expression: string, row: string) {
  return monitoring.database.query<{ at_ms: number; spot: number }>(
    `SELECT extract(epoch FROM ${expression})::float8 * 1000 AS at_ms,
       (hashtext(receipt_number) & 1023) / 1024.0::float8 AS spot
     FROM (SELECT ${row}) AS watches`,
  );
}

test.each([
  [1, 1],
  [7, 1],
  [30, 0.0001],
])('a watch of %i days, scale %f, is due when the rules in memory say', async (periodDays, scale) => {
  for (const receiptNumber of [receipt(1), receipt(2), receipt(77)]) {
    const [found] = await fromSql(
      createSchedule(scale).nextCheck(at),
      `'${receiptNumber}' AS receipt_number, ${periodDays} AS period_days`,
    );
    const expected = nextCheckMs(AT_MS, { periodDays, spot: found?.spot ?? -1 }, scale);
    expect(Math.abs((found?.at_ms ?? 0) - expected)).toBeLessThan(1);
  }
});

test.each([
  [0, 1],
  [3, 1],
  [50, 1],
  [4, 0.0001],
])('after %i failures, scale %f, the next try is when the rules in memory say', async (attempts, scale) => {
  const [found] = await fromSql(
    createSchedule(scale).nextTry(at),
    `'${receipt(1)}' AS receipt_number, ${attempts} AS attempts`,
  );
  expect(Math.abs((found?.at_ms ?? 0) - nextTryMs(AT_MS, attempts, scale))).toBeLessThan(1);
});
