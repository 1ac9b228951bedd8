import { createManualClock } from '@casewatch/testing/manual-clock';
import { beforeEach, expect, test } from 'vitest';
import type { AgencyFailure } from '../domain/agency-failure.ts';
import { createPauses, type PauseState, type Pauses } from './pauses.ts';

const DAY_MS = 86_400_000;
const TOO_MANY: AgencyFailure = { kind: 'rate-limited' };

let clock: ReturnType<typeof createManualClock>;
/** How long each pause of this caller was when it began. */
let pausedMs: number[];
let stored: PauseState[];
let pauses: Pauses;
beforeEach(() => {
  clock = createManualClock(Date.parse('2026-01-05T23:58:00Z'));
  pausedMs = [];
  stored = [];
  pauses = open();
});

/** The pauses of one caller. */
function open(before?: PauseState): Pauses {
  const toMidnight = () => DAY_MS - (clock.nowMs() % DAY_MS);
  const store = (state: PauseState) => {
    stored.push(state);
    if (state.leftMs > 0) pausedMs.push(state.leftMs);
  };
  return createPauses(clock, toMidnight, store, before);
}

/** A call that is sent when every pause is over and answered after 200 ms. */
async function meet(failure: AgencyFailure | undefined) {
  await clock.advance(pausedMs.at(-1) ?? 0);
  const request = pauses.send();
  await clock.advance(200);
  return failure ? pauses.apply(failure, request) : pauses.over(request);
}

test('each 429 in a row pauses twice as long, half a minute at most; another answer starts anew', async () => {
  for (let nth = 0; nth < 7; nth += 1) await meet(TOO_MANY);
  await meet(undefined);
  await meet(TOO_MANY);
  expect(pausedMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 1_000]);
});

test('calls that meet a 429 together pause once, and each gets the rest of the pause', async () => {
  const [first, second, third] = [pauses.send(), pauses.send(), pauses.send()];
  await clock.advance(100);
  expect(pauses.apply(TOO_MANY, second)).toMatchObject({ retryAfterMs: 1_000 });
  await clock.advance(300);
  expect(pauses.apply(TOO_MANY, third)).toMatchObject({ retryAfterMs: 700 });
  // Nor does an answer to one of them say that the agency has enough again.
  pauses.over(first);
  await meet(TOO_MANY);
  expect(pausedMs).toEqual([1_000, 2_000]);
});

test('a spent quota pauses for minutes, at most until midnight GMT', async () => {
  expect(await meet({ kind: 'quota-spent' })).toMatchObject({ retryAfterMs: 119_800 });
  await meet({ kind: 'quota-spent' });
  expect(pausedMs).toEqual([119_800, 300_000]);
});

test('a pause is on until its end, and a shorter one does not end it', async () => {
  expect(pauses.leftMs()).toBe(0);
  await meet(TOO_MANY);
  await clock.advance(999);
  expect(pauses.leftMs()).toBe(1);
  await clock.advance(1);
  expect(pauses.leftMs()).toBe(0);
  await clock.advance(120_000);
  await meet({ kind: 'quota-spent' });
  await clock.advance(100);
  pauses.apply(TOO_MANY, pauses.send());
  await clock.advance(299_899);
  expect(pauses.leftMs()).toBe(1);
  await clock.advance(1);
  expect(pauses.leftMs()).toBe(0);
});

test('a 429 to a call of before the pause that comes after it says to come back at once', async () => {
  const before = pauses.send();
  pauses.apply(TOO_MANY, pauses.send());
  await clock.advance(5_000);
  expect(pauses.apply(TOO_MANY, before)).toEqual({ kind: 'rate-limited', retryAfterMs: 0 });
  expect(pausedMs).toEqual([1_000]);
});

test('the quota is known to be spent until the agency answers a later call, or until midnight GMT', async () => {
  expect(pauses.quotaFailure()).toBeUndefined();
  const [first, second] = [pauses.send(), pauses.send()];
  await clock.advance(1_000);
  pauses.apply({ kind: 'quota-spent' }, first);
  pauses.over(second);
  await clock.advance(1_000);
  expect(pauses.quotaFailure()).toEqual({ kind: 'quota-spent', retryAfterMs: 118_000 });
  pauses.over(pauses.send());
  expect(pauses.quotaFailure()).toBeUndefined();
  pauses.apply({ kind: 'quota-spent' }, pauses.send());
  await clock.advance(117_999);
  expect(pauses.quotaFailure()).toMatchObject({ retryAfterMs: 1 });
  await clock.advance(1);
  expect(pauses.quotaFailure()).toBeUndefined();
});

test('a pause, how often it came in a row and a spent quota hold for the next caller', async () => {
  await meet(TOO_MANY);
  await meet(TOO_MANY);
  await clock.advance(500);
  pauses = open({ ...latest(), leftMs: pauses.leftMs() });
  expect(pauses.leftMs()).toBe(1_500);
  await clock.advance(1_500);
  await meet(TOO_MANY);
  expect(pausedMs.at(-1)).toBe(4_000);
  await meet({ kind: 'quota-spent' });
  pauses = open(latest());
  expect(pauses.quotaFailure()).toMatchObject({ kind: 'quota-spent', retryAfterMs: latest().quotaSpentMs });
  await meet(undefined);
  expect(latest()).toEqual({ leftMs: 0, inARow: 0, quotaSpentMs: 0 });
});

test('what changes nothing is not stored', async () => {
  await meet(undefined);
  await meet(undefined);
  expect(stored).toEqual([]);
  const together = Array.from({ length: 6 }, pauses.send);
  for (const request of together) pauses.apply(TOO_MANY, request);
  pauses.over(together[0] ?? 0);
  expect(stored).toHaveLength(1);
  await meet(undefined);
  await meet(undefined);
  expect(stored).toHaveLength(2);
});

test('a pause and a spent quota last as long where the clock is set back', async () => {
  await meet({ kind: 'quota-spent' });
  const leftMs = pauses.leftMs();
  await clock.jump(-DAY_MS);
  expect([pauses.leftMs(), pauses.quotaFailure()?.retryAfterMs]).toEqual([leftMs, leftMs]);
  await clock.advance(leftMs);
  expect([pauses.leftMs(), pauses.quotaFailure()]).toEqual([0, undefined]);
});

const latest = () => stored.at(-1) ?? expect.fail('nothing was stored');

test('a 429 pauses and another answer ends what came before, also while a clock that was set back has not caught up', async () => {
  await meet(TOO_MANY);
  await meet({ kind: 'quota-spent' });
  await clock.advance(pauses.leftMs());
  expect(pauses.leftMs()).toBe(0);
  await clock.jump(-DAY_MS);
  pauses.over(pauses.send());
  expect(latest()).toEqual({ leftMs: 0, inARow: 0, quotaSpentMs: 0 });
  expect(pauses.apply(TOO_MANY, pauses.send())).toMatchObject({ retryAfterMs: 1_000 });
  await clock.jump(DAY_MS - 60_000);
  expect(pauses.quotaFailure()).toBeUndefined();
});
