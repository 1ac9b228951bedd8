import { readFile } from 'node:fs/promises';
import { caseWatchChanged } from '@casewatch/contracts/events';
import { uuidV7Time } from '@casewatch/service-kit/database/uuid-v7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../src/migrations.ts';
import { ADA, type CasesFixture, PAT, startCases } from './cases-fixture.ts';

const [ONE, TWO, THREE, FOUR] = ['EAC9999103403', 'EAC9999103404', 'EAC9999103405', 'EAC9999103410'];

let cases: CasesFixture;
beforeAll(async () => {
  cases = await startCases();
});
afterAll(() => cases.stop());

async function migrateAgain(): Promise<void> {
  const sql = await readFile(new URL('0010_archived_watches.sql', migrations), 'utf8');
  const [up] = sql.split(/^-- Down Migration$/m);
  await cases.database.query(`BEGIN; SET LOCAL search_path TO cases; ${up}; COMMIT`);
}

const outboxRows = () =>
  cases.database.query<{
    id: string;
    topic: string;
    key: string;
    headers: Record<string, string>;
    payload: Record<string, string>;
    created_at: Date;
  }>('SELECT id, topic, key, headers, payload, created_at FROM cases.outbox ORDER BY seq');

test('watches of cases that an older version has archived end with the upgrade, as if they were archived now', async () => {
  for (const number of [ONE, TWO, THREE]) await cases.save(number, PAT, { monitoringFrequency: 'daily' });
  await cases.save(FOUR, PAT);
  await cases.save(ONE, ADA);
  await cases.database.query(
    'UPDATE cases.saved_cases SET archived_at = created_at WHERE receipt_number <> $1',
    [THREE],
  );
  await cases.database.query(
    'UPDATE cases.saved_cases SET monitoring_paused_at = created_at WHERE receipt_number = $1',
    [TWO],
  );
  await cases.forgetPublished();
  const startedMs = Date.now();
  await migrateAgain();
  expect(await cases.eventsOf(caseWatchChanged)).toEqual([
    { receiptNumber: ONE, userId: PAT.userId, frequency: 'none' },
  ]);
  const rows = await outboxRows();
  const byMigration = rows.at(-1);
  const time = Date.parse(byMigration?.headers.ce_time ?? '');
  expect(time).toBeGreaterThanOrEqual(startedMs - 1_000);
  expect(uuidV7Time(byMigration?.id ?? '')).toBe(time);
  expect(byMigration?.created_at.getTime()).toBe(time);

  await cases.change(THREE, { archived: true }, PAT);
  const byChange = (await outboxRows()).findLast(({ key }) => key === THREE);
  const isVersion7 = expect.stringMatching(
    /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  );
  expect(byMigration).toEqual({
    ...byChange,
    id: isVersion7,
    key: ONE,
    created_at: expect.any(Date),
    headers: { ...byChange?.headers, ce_id: byMigration?.id, ce_time: byMigration?.headers.ce_time },
    payload: { ...byChange?.payload, receiptNumber: ONE },
  });
});
