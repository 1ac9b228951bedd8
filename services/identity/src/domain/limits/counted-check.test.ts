import { AppError } from '@casewatch/service-kit/errors/app-error';
import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkCounted, type Guess, type GuessLimit, refuseAfter } from './counted-check.ts';

const WITHIN = { timeout: 15_000 };

function limit(points: number, clearedBySuccess = false): GuessLimit {
  const limiter = memoryLimiters({ name: 'guesses', points, perSeconds: 900 });
  return { limiter, key: 'someone', refusal: 'too-many-passwords', clearedBySuccess };
}
/** How many tries a limit has left; takes them. */
async function left({ limiter, key }: GuessLimit): Promise<number> {
  for (let count = 0; ; count++) if ((await limiter.take(key)) !== undefined) return count;
}
const guess = (limits: GuessLimit[], isRight: boolean) =>
  checkCounted(limits, (one) => one.count(async () => isRight));

/** A guess in flight whose outcome the test decides. */
function inFlight(limits: GuessLimit[]) {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  return { outcome: checkCounted(limits, (one) => one.count(() => promise)), resolve, reject };
}

test('a guess waits for those in flight that hold the last places, and comes first after its turn', async () => {
  const limits = [limit(1)];
  const first = inFlight(limits);
  const turns: boolean[] = [];
  const second = checkCounted(limits, (one: Guess) => {
    turns.push(one.hadTurn);
    return one.count(async () => true);
  });
  await vi.waitFor(() => expect(turns.length).toBeGreaterThan(1), WITHIN);
  first.resolve(true);
  expect([await first.outcome, await second]).toEqual([true, true]);
  expect(turns.slice(0, 2)).toEqual([false, true]);
});

test('a guess that waits for others for more than ten seconds is asked to retry', async () => {
  let nowMs = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => now.mockRestore());
  const limits = [limit(1)];
  const first = inFlight(limits);
  let turns = 0;
  const second = checkCounted(limits, (one) => {
    turns += 1;
    return one.count(async () => true);
  });
  const refused = expect(second).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
  await vi.waitFor(() => expect(turns).toBeGreaterThan(0), WITHIN);
  nowMs = 10_000;
  const before = turns;
  await vi.waitFor(() => expect(turns).toBeGreaterThan(before + 1), WITHIN);
  nowMs += 1;
  await refused;
  first.resolve(true);
  await first.outcome;
});

test('a guess that finds no place under one limit uses up none under the others', async () => {
  const [own, shared] = [limit(2), limit(1)];
  const first = inFlight([shared]);
  let turns = 0;
  const second = checkCounted([own, shared], (one) => {
    turns += 1;
    return one.count(async () => false);
  });
  await vi.waitFor(() => expect(turns).toBeGreaterThan(1), WITHIN);
  first.resolve(false);
  await expect(second).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(await left(own)).toBe(2);
});

test('a check that fails counts for nothing, and is reported as it is', async () => {
  const limits = [limit(1)];
  const failing = inFlight(limits);
  const failure = new Error('no database');
  failing.reject(failure);
  await expect(failing.outcome).rejects.toBe(failure);
  expect(await left(limits[0] as GuessLimit)).toBe(1);
});

test('a right guess counts for nothing, and clears the wrong ones before it where the limit says so', async () => {
  const [cleared, kept] = [limit(3, true), limit(3, false)];
  expect(await guess([cleared, kept], false)).toBe(false);
  expect(await guess([cleared, kept], true)).toBe(true);
  expect([await left(cleared), await left(kept)]).toEqual([3, 2]);
});

test.each([
  [1, '1 minute'],
  [60, '1 minute'],
  [61, '2 minutes'],
])('who has to wait %i seconds reads %s', (seconds, words) => {
  expect(() => refuseAfter(seconds, 'too-many-passwords')).toThrow(
    expect.objectContaining({
      code: 'RATE_LIMITED',
      message: `Too many wrong passwords. Please try again in ${words}.`,
      retryAfterSeconds: seconds,
    }),
  );
  expect(() => refuseAfter(undefined, 'too-many-passwords')).not.toThrow(AppError);
});
