import { createMemoryCache } from '@casewatch/shared-state/cache/cache';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { beforeEach, expect, test } from 'vitest';
import { type AskingTurns, createAskingTurns } from './asking-turns.ts';

const NUMBER = 'EAC9999103403';
const LONGEST_MS = 1_000;

let clock: ReturnType<typeof createManualClock>;
/** Of two processes that share a cache. */
let ours: AskingTurns;
let theirs: AskingTurns;
beforeEach(() => {
  clock = createManualClock();
  const deps = { cache: createMemoryCache(clock), clock, longestMs: LONGEST_MS };
  [ours, theirs] = [createAskingTurns(deps), createAskingTurns(deps)];
});

/** Waits for the other process, which stores what is set as `found`. */
async function wait() {
  const waiting = {
    found: undefined as string | undefined,
    looks: 0,
    answer: 'waiting' as string | undefined,
  };
  const done = ours.waitFor(NUMBER, async () => {
    waiting.looks += 1;
    return waiting.found;
  });
  void done.then((answer) => {
    waiting.answer = answer;
  });
  await clock.advance(0);
  return waiting;
}

test('one process at a time has the turn of a receipt number, until it ends it or for the longest time', async () => {
  expect(await theirs.take(NUMBER)).toBe(true);
  expect(await ours.take(NUMBER)).toBe(false);
  expect(await ours.take('EAC9999103404')).toBe(true);
  await theirs.end(NUMBER);
  expect(await ours.take(NUMBER)).toBe(true);
  await clock.advance(LONGEST_MS - 1);
  expect(await theirs.take(NUMBER)).toBe(false);
  await clock.advance(1);
  expect(await theirs.take(NUMBER)).toBe(true);
});

test('who waits finds what the other process has stored within a moment, while its turn goes on', async () => {
  await theirs.take(NUMBER);
  const waiting = await wait();
  await clock.advance(49);
  expect(waiting).toMatchObject({ looks: 1, answer: 'waiting' });
  waiting.found = 'stored';
  await clock.advance(1);
  expect(waiting).toMatchObject({ looks: 2, answer: 'stored' });
});

test('who waits for a turn that ends without an answer looks once more, and finds nothing', async () => {
  await theirs.take(NUMBER);
  const waiting = await wait();
  await theirs.end(NUMBER);
  await clock.advance(50);
  expect(waiting).toMatchObject({ looks: 2, answer: undefined });
});

test('nobody waits longer than a turn may last, even if others take it again and again', async () => {
  await theirs.take(NUMBER);
  const waiting = await wait();
  await clock.advance(LONGEST_MS / 2);
  await theirs.end(NUMBER);
  await theirs.take(NUMBER);
  await clock.advance(LONGEST_MS / 2 - 1);
  expect(waiting.answer).toBe('waiting');
  await clock.advance(1);
  expect(waiting.answer).toBeUndefined();
});
