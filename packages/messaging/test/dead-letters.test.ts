import { randomUUID } from 'node:crypto';
import { poolExecutor, type SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  discardDeadLetter,
  insertDeadLetter,
  listDeadLetters,
  requestRedrive,
  takeForRedrive,
} from '../src/dead-letters.ts';
import { defineHandler } from '../src/event-bus.ts';
import { redriveDeadLetters } from '../src/redrive.ts';
import { counted } from './bus-scenarios.ts';
import { createEventsDatabase, type EventsDatabase } from './events-database.ts';

const GROUP = 'notifications';
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 5);

let database: EventsDatabase;
let sql: SqlExecutor;
beforeAll(async () => {
  database = await createEventsDatabase();
  sql = poolExecutor(database.poolOf(GROUP));
});
beforeEach(() => sql.query('DELETE FROM dead_letters', []));
afterAll(() => database.drop());

/** An event that failed the given minutes after the start. Returns its id. */
async function storeDeadLetter(
  minute: number,
  options: { id?: string; topic?: string; error?: string; thrown?: unknown } = {},
): Promise<string> {
  const { id = randomUUID(), topic = 'user-logged-in', error = 'a defect' } = options;
  const event = { id, topic, key: 'a', payload: { userId: 'a', loginCount: 1 }, headers: {} };
  const thrown = 'thrown' in options ? options.thrown : new Error(error);
  const failure = { error: thrown, attempts: 5, nowMs: START_MS + minute * MINUTE_MS };
  await insertDeadLetter(sql, GROUP, event, failure);
  return event.id;
}
const idsOf = async (limit?: number) => (await listDeadLetters(sql, {}, limit)).map(({ id }) => id);

test('dead letters are listed by when they failed, the oldest first, up to a limit', async () => {
  const [second, first, third] = [
    await storeDeadLetter(2),
    await storeDeadLetter(1),
    await storeDeadLetter(3),
  ];
  expect(await idsOf()).toEqual([first, second, third]);
  expect(await idsOf(2)).toEqual([first, second]);
});

test('of dead letters that failed at the same time the earlier event comes first, also to be redriven', async () => {
  const [second, first] = ['0190a1b2-0000-7000-8000-000000000002', '0190a1b2-0000-7000-8000-000000000001'];
  for (const id of [second, first]) await storeDeadLetter(1, { id });
  expect(await idsOf()).toEqual([first, second]);
  await requestRedrive(sql, START_MS);
  expect((await takeForRedrive(sql, GROUP))?.id).toBe(first);
});

test('a dead letter that is discarded is returned, and only that one is removed', async () => {
  const [kept, discarded] = [await storeDeadLetter(1), await storeDeadLetter(2)];
  const payload = { userId: 'a', loginCount: 1 };
  expect(await discardDeadLetter(sql, discarded)).toMatchObject({ id: discarded, group: GROUP, payload });
  expect(await idsOf()).toEqual([kept]);
  expect(await discardDeadLetter(sql, discarded)).toBeUndefined();
});

test('two that redrive at the same time never take the same dead letter, and do not wait for each other', async () => {
  const ids = [await storeDeadLetter(1), await storeDeadLetter(2)];
  await requestRedrive(sql, START_MS, { eventId: ids[0] ?? '' });
  await requestRedrive(sql, START_MS + 1, { eventId: ids[1] ?? '' });
  const taken = await database.transaction(GROUP, async (one) => {
    const first = await takeForRedrive(one, GROUP);
    const second = await database.transaction(GROUP, (other) => takeForRedrive(other, GROUP));
    return [first?.id, second?.id];
  });
  expect(taken).toEqual(ids);
});

test('what was thrown is kept whatever it is, as far as PostgreSQL takes it', async () => {
  await storeDeadLetter(1, { thrown: 'no \0 text' });
  await storeDeadLetter(2, { thrown: undefined });
  expect((await listDeadLetters(sql)).map(({ error }) => error)).toEqual(['no \uFFFD text', 'undefined']);
});

test('the error is kept with its stack, up to 4,000 characters', async () => {
  await storeDeadLetter(1, { error: 'x'.repeat(5_000) });
  await storeDeadLetter(2, { error: 'short' });
  const [long, short] = await listDeadLetters(sql);
  expect(long?.error).toBe(`Error: ${'x'.repeat(5_000)}`.slice(0, 4_000));
  expect(short?.error).toMatch(/^Error: short\n +at /);
});

test('a redrive is requested once: of all, of a topic or of an event', async () => {
  const [one, other] = [await storeDeadLetter(1), await storeDeadLetter(2, { topic: 'user-deleted' })];
  await storeDeadLetter(3);
  expect(await requestRedrive(sql, START_MS, { topic: 'user-deleted', eventId: one })).toBe(0);
  expect(await requestRedrive(sql, START_MS, { topic: 'user-deleted' })).toBe(1);
  expect(await requestRedrive(sql, START_MS, { eventId: one })).toBe(1);
  expect(await requestRedrive(sql, START_MS, { eventId: one })).toBe(0);
  expect(await requestRedrive(sql, START_MS + MINUTE_MS)).toBe(1);
  const asked = (await listDeadLetters(sql)).map(({ redriveRequestedAt }) => redriveRequestedAt?.getTime());
  expect(asked).toEqual([START_MS, START_MS, START_MS + MINUTE_MS]);
  expect(await idsOf(2)).toEqual([one, other]);
});

test('what was requested first is taken first, and only by its group', async () => {
  const [later, sooner] = [await storeDeadLetter(1), await storeDeadLetter(2)];
  await storeDeadLetter(3);
  await requestRedrive(sql, START_MS + MINUTE_MS, { eventId: later });
  await requestRedrive(sql, START_MS, { eventId: sooner });
  expect(await takeForRedrive(sql, 'admin-log')).toBeUndefined();
  expect((await takeForRedrive(sql, GROUP))?.id).toBe(sooner);
  expect((await takeForRedrive(sql, GROUP))?.id).toBe(later);
  expect(await takeForRedrive(sql, GROUP)).toBeUndefined();
});

/** Redrives with a handler that does `work`, at a time of its own. */
const redrive = (atMs: number, work: (id: string) => void) =>
  redriveDeadLetters({
    group: GROUP,
    pool: database.poolOf(GROUP),
    clock: createManualClock(atMs),
    logger: pino({ level: 'silent' }),
    handlerOf: () => defineHandler(GROUP, counted, async (_payload, { id }) => work(id)),
  });

test('a redrive that fails again says when and why, and waits for the next request', async () => {
  const id = await storeDeadLetter(1);
  await requestRedrive(sql, START_MS + 2 * MINUTE_MS);
  const attempts: string[] = [];
  const failing = (one: string) => {
    attempts.push(one);
    throw new Error('another defect');
  };
  const atMs = START_MS + 3 * MINUTE_MS;
  await redrive(atMs, failing);
  await redrive(atMs + MINUTE_MS, failing);
  expect(attempts).toEqual([id]);
  expect(await listDeadLetters(sql)).toMatchObject([
    {
      id,
      attempts: 6,
      error: expect.stringContaining('another defect'),
      failedAt: new Date(atMs),
      redriveRequestedAt: null,
    },
  ]);
});

test('a redrive that finds a dependency unavailable leaves its request, which the next one finds', async () => {
  const ids = [await storeDeadLetter(1), await storeDeadLetter(2)];
  await requestRedrive(sql, START_MS);
  const unavailable = () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };
  await expect(redrive(START_MS + MINUTE_MS, unavailable)).rejects.toThrow('ECONNREFUSED');
  expect(await listDeadLetters(sql)).toMatchObject(
    ids.map((id) => ({ id, attempts: 5, redriveRequestedAt: new Date(START_MS) })),
  );
  const handled: string[] = [];
  await redrive(START_MS + MINUTE_MS, (id) => void handled.push(id));
  expect(new Set(handled)).toEqual(new Set(ids));
  expect(await idsOf()).toEqual([]);
});
