import { expect, test } from 'vitest';
import { createDatabaseClock } from './database-clock.ts';

test('it continues from the last time read from the database, however wrong the clock of the process is', async () => {
  let processMs = 5_000;
  let databaseMs = 90_000;
  const db = { query: async () => [{ now: new Date(databaseMs) }] as never };
  const clock = createDatabaseClock(db, { nowMs: () => processMs, sleep: async () => undefined });
  expect(clock.nowMs()).toBe(5_000);
  expect(await clock.read()).toBe(90_000);
  processMs += 10;
  expect(clock.nowMs()).toBe(90_010);
  processMs = 1_000_000;
  databaseMs = 90_020;
  expect(await clock.read()).toBe(90_020);
  expect(clock.nowMs()).toBe(90_020);
});

test('the database’s time continues where the clock of the process is set back', async () => {
  let processMs = 0;
  const db = { query: async <Row>() => [{ now: new Date(1_000_000) }] as Row[] };
  const clock = createDatabaseClock(db, { nowMs: () => processMs, sleep: async () => undefined });
  await clock.read();
  processMs = -3_600_000;
  expect(clock.nowMs()).toBe(1_000_000);
  processMs += 5_000;
  expect(clock.nowMs()).toBe(1_005_000);
  expect([await clock.read(), clock.nowMs()]).toEqual([1_000_000, 1_000_000]);
});
