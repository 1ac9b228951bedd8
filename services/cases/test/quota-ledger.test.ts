import { randomUUID } from 'node:crypto';
import { createDatabasePool } from '@casewatch/service-kit/database/database-pool';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createQuotaLedger } from '../src/data/pg-quota-ledger.ts';
import type { Requester } from '../src/domain/lookup.ts';

const DAY = '2026-01-05';
const lookup = {
  id: randomUUID(),
  origin: 'single',
  requestId: undefined,
  traceId: undefined,
  startedAtMs: 0,
} as const;
const CHECK: Requester = { source: 'monitor', lookup };
const person = (userId: string): Requester => ({ source: 'user', userId, name: 'Ada', tier: 'free', lookup });

test('calls that are counted at the same time are counted each, on both sides; those that were not made are taken back', async () => {
  const database = await createTestDatabase();
  const logger = pino({ level: 'silent' });
  const pool = createDatabasePool({
    url: database.urlFor('cases'),
    service: 'cases',
    maximum: 4,
    logger,
  });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const [ada, bob, removed] = [randomUUID(), randomUUID(), randomUUID()];
  await database.query('INSERT INTO cases.deleted_users (user_id, deleted_at) VALUES ($1, now())', [removed]);
  const ledger = createQuotaLedger(pool);
  const requesters = [CHECK, person(ada), CHECK, person(bob), person(ada), person(removed)];
  await Promise.all([...requesters, ...requesters].map((requester) => ledger.add(DAY, requester, 1)));
  await Promise.all([
    ledger.add(DAY, CHECK, -1),
    ledger.add(DAY, person(ada), -1),
    ledger.add('2026-01-06', CHECK, 1),
  ]);
  const ofUsers = new Map([
    [ada, 3],
    [bob, 2],
  ]);
  expect(await ledger.read(DAY)).toEqual({ calls: 10, monitorCalls: 3, ofUsers });
  await Promise.all(Array.from({ length: 20 }, () => ledger.add(DAY, CHECK, -1)));
  expect(await ledger.read(DAY)).toMatchObject({ calls: 0, monitorCalls: 0 });
});
