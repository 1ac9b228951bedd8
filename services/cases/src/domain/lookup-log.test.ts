import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { EndedLookup } from './lookup.ts';
import { createLookupLog, type LookupLog } from './lookup-log.ts';

const UNAVAILABLE = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

let clock: ReturnType<typeof createManualClock>;
/** What was written, in batches, and what the next writes throw. */
let written: number[][];
let faults: (Error | undefined)[];
let messages: string[];
let log: LookupLog;

beforeEach(() => {
  clock = createManualClock();
  written = [];
  faults = [];
  messages = [];
  log = createLookupLog({
    write: async (rows) => {
      const fault = faults.shift();
      if (fault) throw fault;
      written.push(rows.map(({ endedAtMs }) => endedAtMs));
    },
    clock,
    logger: pino({ base: null }, { write: (line: string) => void messages.push(JSON.parse(line).msg) }),
    storedShare: 1,
  });
});

const row = (nth: number): EndedLookup => ({ endedAtMs: nth, outcome: 'answered' }) as EndedLookup;
const add = (from: number, to: number) => {
  for (let nth = from; nth <= to; nth += 1) log.add(row(nth));
};

test('rows are written together a moment after the first, 500 at most in a batch', async () => {
  add(1, 501);
  await clock.advance(199);
  expect(written).toEqual([]);
  await clock.advance(1);
  expect(written.map((rows) => rows.length)).toEqual([500, 1]);
  add(502, 502);
  await clock.advance(200);
  expect(written.at(-1)).toEqual([502]);
  expect(messages).toEqual([]);
});

test('while the database is unavailable rows wait in their order, and are retried every second; the outage is logged once', async () => {
  faults = [UNAVAILABLE, UNAVAILABLE];
  add(1, 2);
  await clock.advance(200);
  add(3, 3);
  await clock.advance(1_199);
  expect(faults).toHaveLength(1);
  await clock.advance(1);
  expect(faults).toHaveLength(0);
  await clock.advance(1_200);
  expect(written).toEqual([[1, 2, 3]]);
  expect(messages).toEqual([
    'lookup log: rows could not be written, will retry',
    'lookup log: rows are written again',
  ]);
});

test('of an outage the newest 36,000 rows are kept', async () => {
  faults = [UNAVAILABLE, UNAVAILABLE];
  add(1, 10);
  await clock.advance(200);
  add(11, 36_003);
  await clock.advance(2 * 1_200);
  expect(written.flat()).toEqual(Array.from({ length: 36_000 }, (_, nth) => nth + 4));
});

test('a row that the database refuses is skipped, and keeps no other from being written', async () => {
  faults = [new Error('batch'), undefined, new Error('row')];
  add(1, 3);
  await clock.advance(200);
  expect(written).toEqual([[1], [3]]);
  expect(messages).toEqual(['lookup log: row refused, skipping it']);
});

test('a stop writes what is left at once, and tries it once more while the database is unavailable', async () => {
  faults = [UNAVAILABLE];
  add(1, 1);
  await log.stop();
  expect(written).toEqual([[1]]);
});

test('a stop ends also while the database stays unavailable', async () => {
  faults = Array(5).fill(UNAVAILABLE);
  add(1, 1);
  await log.stop();
  expect(faults).toHaveLength(3);
});

test('a stop waits for what is being written', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isStopped = false;
  const slow = createLookupLog({
    write: () => promise,
    clock,
    logger: pino({ level: 'silent' }),
    storedShare: 1,
  });
  slow.add(row(1));
  await clock.advance(200);
  const stopped = slow.stop().then(() => {
    isStopped = true;
  });
  await clock.advance(0);
  expect(isStopped).toBe(false);
  resolve();
  await stopped;
});

test('of the stored answers a share is kept, evenly; a share of 0 keeps none', async () => {
  const kept = (storedShare: number) => {
    const rows: number[] = [];
    const sampling = createLookupLog({
      write: async (all) => void rows.push(...all.map(({ endedAtMs }) => endedAtMs)),
      clock,
      logger: pino({ level: 'silent' }),
      storedShare,
    });
    for (let nth = 1; nth <= 8; nth += 1) sampling.add({ ...row(nth), outcome: 'stored' });
    return sampling.stop().then(() => rows);
  };
  expect(await kept(0.25)).toEqual([4, 8]);
  expect(await kept(1)).toHaveLength(8);
  expect(await kept(0)).toEqual([]);
});
