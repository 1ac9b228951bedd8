import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createOutboxBus, publishedEvents } from '@casewatch/testing/outbox-bus';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../src/data/open-database.ts';
import { person } from './billing-fixture.ts';

const bus = createOutboxBus(systemClock);
let database: TestDatabase;
let opened: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const logger = pino({ level: 'silent' });
  const url = database.urlFor('billing');
  opened = openDatabase({ url, maximum: 4, usersAtOnce: 2, logger, bus });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

const seen = {
  entitlement: undefined,
  trialUsed: false,
  news: { tier: 'pro', status: 'active' },
  nextLookMs: null,
} as const;
const newsOf = async (userId: string) =>
  (await publishedEvents(database, 'billing')).filter(({ payload }) =>
    JSON.stringify(payload).includes(userId),
  );

test('of two who have seen the same version of an account one is kept, and publishes once', async () => {
  const { userId } = person();
  const account = await opened.store.findOrCreate(userId);
  const kept = await Promise.all([
    opened.store.saveLook(account, seen),
    opened.store.saveLook(account, seen),
  ]);
  expect(kept.toSorted()).toEqual([false, true]);
  expect(await newsOf(userId)).toHaveLength(1);
  expect(await opened.store.saveLook(account, seen)).toBe(false);
  expect((await opened.store.find(userId))?.version).toBe(account.version + 1);
});

test('what was seen is not kept when its event cannot be written', async () => {
  const { userId } = person();
  const account = await opened.store.findOrCreate(userId);
  bus.isBroken = true;
  await expect(opened.store.saveLook(account, seen)).rejects.toThrow('the outbox cannot be written');
  bus.isBroken = false;
  expect(await opened.store.find(userId)).toEqual(account);
  expect(await opened.store.saveLook(account, seen)).toBe(true);
});
