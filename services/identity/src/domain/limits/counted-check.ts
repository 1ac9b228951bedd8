import { setTimeout as wait } from 'node:timers/promises';
import type { TextKey } from '@casewatch/contracts/server-text';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Limiter } from '@casewatch/shared-state/limits/limiter';

/** One limit that a guess counts toward. */
export interface GuessLimit {
  limiter: Limiter;
  key: string;
  /** The error text for a throttled caller, with the time to wait. */
  refusal: TextKey;
  /** Whether a right answer clears the wrong ones before it. */
  clearedBySuccess: boolean;
}

/** One guess whose turn to be checked comes. */
export interface Guess {
  /** Runs the check as one counted guess. */
  count(check: () => Promise<boolean>): Promise<boolean>;
  /** The source of guesses by the first limit: a known browser, a network or a signed-in user. */
  source: string;
  /** It has had its turn and found others in flight: its next turn comes before those who have just arrived. */
  hadTurn: boolean;
}

const POLL_MS = 25;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Checks a secret so that no more wrong guesses are ever checked than the limits allow, also when they are sent at
 * once, while right ones in flight are no failures: a place is reserved right before the check, when `verify` calls
 * `guess.count`, and given back unless the guess is wrong. A guess that finds the last places held by others in flight
 * waits for their outcome.
 * @throws AppError RATE_LIMITED, or UNAVAILABLE when the outcome of the others takes too long
 */
export async function checkCounted(
  limits: readonly GuessLimit[],
  verify: (guess: Guess) => Promise<boolean>,
): Promise<boolean> {
  const source = limits[0]?.key ?? '';
  const guess: Guess = { count: (check) => countGuess(limits, check), source, hadTurn: false };
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    // Callers without a guess left do not enter the queue for a hash.
    for (const { limiter, key, refusal } of limits) refuseAfter(await limiter.peek(key), refusal);
    try {
      return await verify(guess);
    } catch (error) {
      if (!(error instanceof GuessesInFlight)) throw error;
      if (performance.now() > deadline) throw tooBusy();
    }
    guess.hadTurn = true;
    await wait(POLL_MS);
  }
}

/** @throws AppError RATE_LIMITED when there is a time to wait */
export function refuseAfter(waitSeconds: number | undefined, refusal: TextKey): void {
  if (waitSeconds === undefined) return;
  throw new AppError('RATE_LIMITED', refusal, {
    values: { seconds: waitSeconds },
    retryAfterSeconds: waitSeconds,
  });
}

class GuessesInFlight extends Error {}

async function countGuess(limits: readonly GuessLimit[], check: () => Promise<boolean>): Promise<boolean> {
  await reserveAll(limits);
  let isRight: boolean;
  try {
    isRight = await check();
  } catch (error) {
    await releaseAll(limits);
    throw error;
  }
  if (isRight) {
    await releaseAll(limits);
    const cleared = limits.filter(({ clearedBySuccess }) => clearedBySuccess);
    await Promise.all(cleared.map(({ limiter, key }) => limiter.reset(key)));
  } else {
    await Promise.all(limits.map(({ limiter, key }) => limiter.confirm(key)));
  }
  return isRight;
}

/** Reserves in order, all or none: a source without a guess left under the first limit uses up none under the others. */
async function reserveAll(limits: readonly GuessLimit[]): Promise<void> {
  const reserved: GuessLimit[] = [];
  try {
    for (const limit of limits) {
      const refused = await limit.limiter.reserve(limit.key);
      if (refused === 'pending') throw new GuessesInFlight();
      refuseAfter(refused, limit.refusal);
      reserved.push(limit);
    }
  } catch (error) {
    await releaseAll(reserved);
    throw error;
  }
}

async function releaseAll(limits: readonly GuessLimit[]): Promise<void> {
  await Promise.all(limits.map(({ limiter, key }) => limiter.release(key)));
}

function tooBusy(): AppError {
  return new AppError('UNAVAILABLE', 'many-sign-ins', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
