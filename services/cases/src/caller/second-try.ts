import type { AgencyResult } from '../domain/agency.ts';
import type { Attempt } from './wanted.ts';

/** A second try needs this share of the time to be left. */
const SHARE_FOR_A_SECOND_TRY = 0.2;
/** It waits so long for its turn at least. */
export const SECOND_TURN_WITHIN_MS = 250;
const AFTER_MS = { least: 50, spread: 200 };

/** Who waits for a second try, and for how long it is put off; undefined where the answer stands. */
export interface SecondTry {
  readonly for: 'everyone' | 'people';
  readonly afterMs: number;
}

/**
 * Decides whether a call is made again. Each try waits for a turn of its own. A token may be withdrawn before its end: one
 * refusal is answered with a new token, a second one is believed.
 */
export function secondTryOf(
  result: AgencyResult,
  { first, leftMs, isTokenRefused }: Attempt,
  { timeoutMs, isTokenNew }: { timeoutMs: number; isTokenNew: boolean },
): SecondTry | undefined {
  if (leftMs < timeoutMs * SHARE_FOR_A_SECOND_TRY) return undefined;
  if (isTokenNew && !isTokenRefused) return { for: 'everyone', afterMs: 0 };
  if (first) return undefined;
  if (mayGoBetterAtOnce(result)) {
    return { for: 'everyone', afterMs: AFTER_MS.least + Math.random() * AFTER_MS.spread };
  }
  // The order stands still until the pause is over; scheduled checks come again later.
  return isRateLimited(result) ? { for: 'people', afterMs: 0 } : undefined;
}

/** What costs the agency nothing it minds: never a 404, 422 or 429. */
function mayGoBetterAtOnce(result: AgencyResult): boolean {
  return (
    result.kind === 'failure' &&
    ['unreachable', 'unavailable', 'maintenance', 'unreadable'].includes(result.failure.kind)
  );
}

function isRateLimited(result: AgencyResult): boolean {
  return result.kind === 'failure' && result.failure.kind === 'rate-limited';
}
