import { randomUUID } from 'node:crypto';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgencyQueue } from '../src/data/agency-queue.ts';
import { newCheck } from './cases-fixture.ts';

const ROUNDS = 60;
const LOOKUPS = 200;

let database: TestDatabase;
let pool: ReturnType<typeof createDatabasePool>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createDatabasePool({
    url: database.urlFor('cases'),
    service: 'cases',
    maximum: 8,
    logger: pino({ level: 'silent' }),
  });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('processes that wait and the caller never wait for each other in a circle, while what one abandons is read and ended by the other', async () => {
  const one = createAgencyQueue(pool, randomUUID(), systemClock);
  const two = createAgencyQueue(pool, randomUUID(), systemClock);
  const caller = createAgencyQueue(pool, randomUUID(), systemClock);
  await pool.query(`INSERT INTO agency_caller (epoch, name, since) VALUES (1, 'test', clock_timestamp())`);
  const numbers = Array.from({ length: LOOKUPS }, (_, nth) => `WAC${String(nth).padStart(10, '0')}`);
  const joining = () =>
    numbers
      .toSorted(() => Math.random() - 0.5)
      .map((receiptNumber) => ({
        receiptNumber,
        waitMs: Math.round(Math.random() * 10),
        requester: newCheck(),
      }));
  const ends = () =>
    numbers
      .toSorted(() => Math.random() - 0.5)
      .map((receiptNumber) => ({ receiptNumber, lookupIds: null, outcome: { kind: 'stored' as const } }));
  const idsOf = (lookups: ReturnType<typeof joining>) => lookups.map(({ requester }) => requester.lookup.id);
  const left = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const [ofOne, ofTwo] = [joining(), joining()];
    await Promise.all([one.join(ofOne), two.join(ofTwo)]);
    const [idsOfOne, idsOfTwo] = [idsOf(ofOne), idsOf(ofTwo)];
    for (const id of [...idsOfOne, ...idsOfTwo]) left.add(id);
    await Promise.all([
      caller.claim(1, false),
      one.take(0, idsOfOne),
      caller.end(ends()),
      two.take(0, idsOfTwo),
      caller.claim(1, false),
      one.take(0, idsOfOne),
    ]);
  }
  await caller.end(ends());
  await one.take(0, [...left]);
  expect((await pool.query('SELECT count(*)::int AS left FROM agency_queue')).rows).toEqual([{ left: 0 }]);
}, 60_000);
