import { randomUUID } from 'node:crypto';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAgencyQueue } from '../src/data/agency-queue.ts';
import { newCheck } from './cases-fixture.ts';

/** A process that stood still while another became the caller continues before it learns of that. */

const FRESH = { freshMs: 0, notRecognizedMs: 0 };
const BEFORE = 6;
const NOW = 7;

let database: TestDatabase;
let pool: pg.Pool;
let queue: ReturnType<typeof createAgencyQueue>;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = database.openPool('cases', 2);
  queue = createAgencyQueue(pool, randomUUID(), systemClock);
  await pool.query(
    `INSERT INTO agency_caller (epoch, name, since) VALUES (${NOW}, 'test', clock_timestamp())`,
  );
});
afterEach(() => database.drop());

/** A lookup joins that waits for long. */
async function join(): Promise<void> {
  await queue.join([{ receiptNumber: 'EAC9999103403', waitMs: 60_000, requester: newCheck() }]);
}

async function stored() {
  const { rows } = await pool.query<{ epoch: number | null; turn: string | null }>(
    'SELECT epoch::int AS epoch, turn FROM agency_queue',
  );
  return rows;
}

test.each([true, false])(
  'a caller that was overtaken claims nothing that another is to call for (its first look: %s)',
  async (isFirst) => {
    await join();
    expect(await queue.claim(BEFORE, isFirst)).toEqual([]);
    expect(await queue.claim(NOW, true)).toHaveLength(1);
    expect(await queue.claim(BEFORE, isFirst)).toEqual([]);
    expect(await stored()).toEqual([{ epoch: NOW, turn: null }]);
  },
);

test('a caller that was overtaken begins no call, and ends no turn of another’s', async () => {
  await join();
  const [lookup] = await queue.claim(NOW, true);
  if (!lookup) throw new Error('nothing was claimed');
  expect(await queue.begin(BEFORE, lookup, FRESH)).toMatchObject({ waits: false });
  expect(await stored()).toEqual([{ epoch: NOW, turn: null }]);
  expect(await queue.begin(NOW, lookup, FRESH)).toMatchObject({ waits: true });
  await queue.undo(BEFORE, lookup.receiptNumber);
  expect(await stored()).toEqual([{ epoch: NOW, turn: 'own' }]);
  await queue.undo(NOW, lookup.receiptNumber);
  expect(await stored()).toEqual([{ epoch: NOW, turn: null }]);
});
