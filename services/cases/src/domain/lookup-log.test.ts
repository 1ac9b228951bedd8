import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { EndedLookup } from './lookup.ts';
import { createLookupLog, onceLogged, type WrittenLookupLog } from './lookup-log.ts';

const UNAVAILABLE = Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' });

let clock: ReturnType<typeof createManualClock>;
/** What was written, in batches, and what the next writes throw. */
let written: number[][];
let faults: (Error | undefined)[];
let messages: string[];
let log: WrittenLookupLog;
/** The next write waits for it. */
let pending: Promise<void> | undefined;

beforeEach(() => {
  clock = createManualClock();
  written = [];
  faults = [];
  pending = undefined;
  messages = [];
  log = createLookupLog({
    write: async (rows) => {
      const waitFor = pending;
      pending = undefined;
      await waitFor;
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

/** Whether the answers of all rows so far may go. */
function released(): { value: boolean } {
  const state = { value: false };
  void log.written().then(() => {
    state.value = true;
  });
  return state;
}

test('rows are written at once; those that come during a write go into the next one, 500 at most', async () => {
  const first = Promise.withResolvers<void>();
  pending = first.promise;
  add(1, 1);
  await clock.advance(0);
  add(2, 503);
  await clock.advance(0);
  expect(written).toEqual([]);
  first.resolve();
  await clock.advance(0);
  expect(written.map((rows) => rows.length)).toEqual([1, 500, 2]);
  expect(messages).toEqual([]);
});

test('an answer waits until its row is written, and no longer than three seconds', async () => {
  const first = Promise.withResolvers<void>();
  pending = first.promise;
  add(1, 1);
  const one = released();
  await clock.advance(0);
  add(2, 2);
  const two = released();
  await clock.advance(2_999);
  expect([one.value, two.value]).toEqual([false, false]);
  await clock.advance(1);
  expect([one.value, two.value]).toEqual([true, true]);
  add(3, 3);
  const three = released();
  await clock.advance(0);
  expect(three.value).toBe(true);
  first.resolve();
  await clock.advance(0);
  expect(written.flat()).toEqual([1, 2, 3]);
});

test('behind more rows than go into one write an answer waits for the last of them', async () => {
  const first = Promise.withResolvers<void>();
  pending = first.promise;
  add(1, 501);
  const all = released();
  await clock.advance(0);
  expect(all.value).toBe(false);
  first.resolve();
  await clock.advance(0);
  expect([all.value, written.flat().length]).toEqual([true, 501]);
});

test('an answer without a row to wait for goes at once', async () => {
  const none = released();
  await clock.advance(0);
  expect(none.value).toBe(true);
});

test('while the database is unavailable rows wait in their order, answers do not, and the outage is logged once', async () => {
  faults = [UNAVAILABLE, UNAVAILABLE];
  add(1, 2);
  const first = released();
  await clock.advance(0);
  add(3, 3);
  const later = released();
  await clock.advance(999);
  expect([first.value, later.value]).toEqual([true, true]);
  expect(faults).toHaveLength(1);
  await clock.advance(1);
  expect(faults).toHaveLength(0);
  await clock.advance(1_000);
  expect(written).toEqual([[1, 2, 3]]);
  expect(messages).toEqual([
    'lookup log: rows could not be written, will retry',
    'lookup log: rows are written again',
  ]);
});

test('of an outage the newest 36,000 rows are kept', async () => {
  faults = [UNAVAILABLE, UNAVAILABLE];
  add(1, 10);
  await clock.advance(0);
  add(11, 36_003);
  await clock.advance(2 * 1_000);
  expect(written.flat()).toEqual(Array.from({ length: 36_000 }, (_, nth) => nth + 4));
});

test('a row that the database refuses is skipped, and keeps no other from being written', async () => {
  faults = [new Error('batch'), undefined, new Error('row')];
  add(1, 3);
  await clock.advance(0);
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
  await clock.advance(0);
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

test('a result waits for the rows that its work has added, also a failure', async () => {
  const first = Promise.withResolvers<void>();
  pending = first.promise;
  const work = onceLogged(log, async (nth: number) => {
    add(nth, nth);
    if (nth === 2) throw new Error('no answer');
    return nth;
  });
  const results: unknown[] = [];
  void work(1).then((result) => results.push(result, ...written));
  work(2).catch((error: Error) => results.push(error.message));
  await clock.advance(0);
  expect(results).toEqual([]);
  first.resolve();
  await clock.advance(0);
  expect(results).toEqual([1, [1, 2], 'no answer']);
});
