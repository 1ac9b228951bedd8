import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createOutboxBus, publishedEvents } from '@casewatch/testing/outbox-bus';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../src/data/open-database.ts';
import { NEW_PLAN } from '../src/domain/plan-milestones.ts';
import { person } from './billing-fixture.ts';

const bus = createOutboxBus(systemClock);
let database: TestDatabase;
let opened: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const logger = pino({ level: 'silent' });
  const url = database.urlFor('billing');
  const directUrl = database.directUrlFor('billing');
  opened = openDatabase({ url, directUrl, maximum: 4, usersAtOnce: 2, logger, bus });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

const seen = {
  entitlement: undefined,
  trialUsed: false,
  change: { tier: 'pro', status: 'active' },
  milestones: [],
  plan: NEW_PLAN,
  nextReconcileMs: null,
} as const;
const publishedChanges = async (userId: string) =>
  (await publishedEvents(database, 'billing')).filter(({ payload }) =>
    JSON.stringify(payload).includes(userId),
  );

test('of two writes with the same version of an account one is saved, and publishes once', async () => {
  const { userId } = person();
  const account = await opened.store.findOrCreate(userId);
  const kept = await Promise.all([
    opened.store.saveReconciled(account, seen),
    opened.store.saveReconciled(account, seen),
  ]);
  expect(kept.toSorted()).toEqual([false, true]);
  expect(await publishedChanges(userId)).toHaveLength(1);
  expect(await opened.store.saveReconciled(account, seen)).toBe(false);
  expect((await opened.store.find(userId))?.version).toBe(account.version + 1);
});

test('the state is not saved when its event cannot be written', async () => {
  const { userId } = person();
  const account = await opened.store.findOrCreate(userId);
  bus.isBroken = true;
  await expect(opened.store.saveReconciled(account, seen)).rejects.toThrow('the outbox cannot be written');
  bus.isBroken = false;
  expect(await opened.store.find(userId)).toEqual(account);
  expect(await opened.store.saveReconciled(account, seen)).toBe(true);
});
