import type { LimiterFactory } from '@casewatch/platform/cache/limiter';
import { AppError } from '@casewatch/platform/errors/app-error';
import { limitKey } from './client-address.ts';

export interface RateLimits {
  /** @throws AppError RATE_LIMITED */
  forAddress(address: string): Promise<void>;
  /** @throws AppError RATE_LIMITED */
  forUser(userId: string): Promise<void>;
}

/** How many API requests an address and a signed-in user may make within a minute. */
export function createRateLimits(
  limiters: LimiterFactory,
  perMinute: { address: number; user: number },
): RateLimits {
  const addresses = limiters({ name: 'gateway-address', points: perMinute.address, perSeconds: 60 });
  const users = limiters({ name: 'gateway-user', points: perMinute.user, perSeconds: 60 });
  return {
    forAddress: async (address) => refuse(await addresses.take(limitKey(address))),
    forUser: async (userId) => refuse(await users.take(userId)),
  };
}

function refuse(secondsToWait: number | undefined): void {
  if (secondsToWait === undefined) return;
  throw new AppError('RATE_LIMITED', 'Too many requests. Please wait a moment and try again.', {
    retryAfterSeconds: secondsToWait,
  });
}
