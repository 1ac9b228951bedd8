import { createHmac, randomBytes } from 'node:crypto';
import type { Checks } from './sign-in-provider.ts';

/** How long a person may take at the provider. */
export const ATTEMPT_LIFETIME_MS = 10 * 60_000;
const SEED_BYTES = 32;

/**
 * Returns a new attempt to sign in, as the browser keeps it in a cookie: the server keeps nothing, so that attempts of
 * outsiders fill no table and any replica can finish one.
 */
export function newAttempt(nowMs: number): string {
  return `${nowMs}.${randomBytes(SEED_BYTES).toString('base64url')}`;
}

/** Returns what the attempt sends to the provider; another time of beginning, or another seed, makes other values. */
export function checksOf(attempt: string, key: string): Checks {
  const derive = (use: string) => createHmac('sha256', key).update(`${use} ${attempt}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

/** Returns whether the answer belongs to this attempt, and came in time. */
export function isOpen(attempt: string, { state }: Checks, query: URLSearchParams, nowMs: number): boolean {
  const ageMs = nowMs - Number(attempt.split('.')[0]);
  return query.get('state') === state && ageMs <= ATTEMPT_LIFETIME_MS;
}
