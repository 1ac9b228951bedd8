import { createHash } from 'node:crypto';
import type { TextKey } from '@casewatch/contracts/server-text';
import { limitKey, siteKey } from '@casewatch/service-kit/http/limit-key';
import { normalizedAddress } from '@casewatch/service-kit/http/normalized-address';
import type { Limiter } from '@casewatch/shared-state/limits/limiter';
import { emailKey } from '../account/account.ts';
import { type GuessLimit, refuseAfter } from './counted-check.ts';

/** One limit that a request counts toward. */
export type Limit = Pick<GuessLimit, 'limiter' | 'key' | 'refusal'>;

/**
 * How many times as much a whole IPv6 /48 has as one /64 of it. A /48 is one site (RFC 6177) or, at some mobile
 * carriers, many people: enough for a few networks that misbehave at a time, far from the 65,536 it could claim.
 */
export const SITE_FACTOR = 10;

/** Returns the limits of a network: an IPv4 address or an IPv6 /64, and the /48 that it belongs to. */
export function networksOf(
  address: string,
  limiters: { address: Limiter; site: Limiter },
  refusal: TextKey,
): Limit[] {
  const site = siteKey(address);
  const own = { limiter: limiters.address, key: limitKey(address), refusal };
  return site === undefined ? [own] : [own, { limiter: limiters.site, key: site, refusal }];
}

/** Takes a point of each limit in order, all or none. @throws AppError RATE_LIMITED */
export async function takeAll(limits: readonly Limit[]): Promise<void> {
  const taken: Limit[] = [];
  try {
    for (const limit of limits) {
      refuseAfter(await limit.limiter.take(limit.key), limit.refusal);
      taken.push(limit);
    }
  } catch (error) {
    await giveBackAll(taken);
    throw error;
  }
}

export async function giveBackAll(limits: readonly Limit[]): Promise<void> {
  await Promise.all(limits.map(({ limiter, key }) => limiter.giveBack(key)));
}

/** Limits may be kept in a shared store, which should hold no email addresses. */
export function accountKey(email: string): string {
  return hashed(emailKey(email));
}

/** Returns the same for all spellings that reach one mailbox. */
export function mailboxKey(email: string): string {
  return hashed(normalizedAddress(email));
}

export function hashed(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
