import { createManualClock } from '@casewatch/testing/manual-clock';
import { beforeEach, expect, test } from 'vitest';
import type { AgencyFailure } from '../domain/agency-failure.ts';
import { createPauses } from './pauses.ts';

const TOO_MANY: AgencyFailure = { kind: 'rate-limited' };

let clock: ReturnType<typeof createManualClock>;
let pausedMs: number[];
let pauses: ReturnType<typeof createPauses>;
beforeEach(() => {
  clock = createManualClock(Date.parse('2026-01-05T23:58:00Z'));
  pausedMs = [];
  pauses = createPauses({ pause: (ms) => pausedMs.push(ms) }, clock);
});

/** A call that is sent when every pause is over and answered after 200 ms. */
async function meet(failure: AgencyFailure | undefined) {
  await clock.advance(pausedMs.at(-1) ?? 0);
  const sentMs = clock.nowMs();
  await clock.advance(200);
  return failure ? pauses.heed(failure, sentMs) : pauses.over(sentMs);
}

test('each 429 in a row pauses twice as long, half a minute at most; another answer starts anew', async () => {
  for (let nth = 0; nth < 7; nth += 1) await meet(TOO_MANY);
  await meet(undefined);
  await meet(TOO_MANY);
  expect(pausedMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 1_000]);
});

test('calls that meet a 429 together pause once, and each gets the rest of the pause', async () => {
  const sentMs = clock.nowMs();
  await clock.advance(100);
  expect(pauses.heed(TOO_MANY, sentMs)).toMatchObject({ retryAfterMs: 1_000 });
  await clock.advance(300);
  expect(pauses.heed(TOO_MANY, sentMs)).toMatchObject({ retryAfterMs: 700 });
  // Nor does an answer to one of them say that the agency has enough again.
  pauses.over(sentMs);
  await meet(TOO_MANY);
  expect(pausedMs).toEqual([1_000, 2_000]);
});

test('a spent quota pauses for minutes, at most until midnight GMT', async () => {
  expect(await meet({ kind: 'quota-spent' })).toMatchObject({ retryAfterMs: 119_800 });
  await meet({ kind: 'quota-spent' });
  expect(pausedMs).toEqual([119_800, 300_000]);
});

test('a pause is on until its end, and a shorter one does not end it', async () => {
  expect(pauses.isOn()).toBe(false);
  await meet(TOO_MANY);
  await clock.advance(999);
  expect(pauses.isOn()).toBe(true);
  await clock.advance(1);
  expect(pauses.isOn()).toBe(false);
  await clock.advance(120_000);
  await meet({ kind: 'quota-spent' });
  await clock.advance(100);
  pauses.heed(TOO_MANY, clock.nowMs());
  await clock.advance(299_899);
  expect(pauses.isOn()).toBe(true);
  await clock.advance(1);
  expect(pauses.isOn()).toBe(false);
});

test('a 429 to a call of before the pause that comes after it says to come back at once', async () => {
  const sentMs = clock.nowMs();
  pauses.heed(TOO_MANY, sentMs);
  await clock.advance(5_000);
  expect(pauses.heed(TOO_MANY, sentMs - 1)).toEqual({ kind: 'rate-limited', retryAfterMs: 0 });
  expect(pausedMs).toEqual([1_000]);
});

test('another failure after a pause ends the row of 429s as an answer does', async () => {
  await meet(TOO_MANY);
  await meet(TOO_MANY);
  expect(await meet({ kind: 'unavailable' })).toEqual({ kind: 'unavailable' });
  await meet(TOO_MANY);
  expect(pausedMs).toEqual([1_000, 2_000, 1_000]);
});

test('the quota is known to be spent until the agency answers a later call, or until midnight GMT', async () => {
  expect(pauses.quotaFailure()).toBeUndefined();
  const sentMs = clock.nowMs();
  await clock.advance(1_000);
  pauses.heed({ kind: 'quota-spent' }, sentMs);
  pauses.over(sentMs);
  await clock.advance(1_000);
  expect(pauses.quotaFailure()).toEqual({ kind: 'quota-spent', retryAfterMs: 118_000 });
  pauses.over(clock.nowMs());
  expect(pauses.quotaFailure()).toBeUndefined();
  pauses.heed({ kind: 'quota-spent' }, clock.nowMs());
  // A clock that is set back knows nothing of what comes later.
  await clock.jump(-1);
  expect(pauses.quotaFailure()).toBeUndefined();
  await clock.jump(1);
  await clock.advance(117_999);
  expect(pauses.quotaFailure()).toMatchObject({ retryAfterMs: 1 });
  await clock.advance(1);
  expect(pauses.quotaFailure()).toBeUndefined();
});
