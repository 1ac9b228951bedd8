import type { LimiterFactory } from '@casewatch/platform/cache/limiter';
import { AppError } from '@casewatch/platform/errors/app-error';
import { limitKey } from '@casewatch/platform/http/limit-key';

export interface RateLimits {
  /** @throws AppError RATE_LIMITED */
  forAddress(address: string): Promise<void>;
  /** @throws AppError RATE_LIMITED */
  forUser(userId: string): Promise<void>;
}

/** These guard against overload, not a secret: without the shared store each process goes on counting its own. */
const perMinuteRule = { perSeconds: 60, whenAway: 'count-alone' } as const;

/** How many API requests an address and a signed-in user may make within a minute. */
export function createRateLimits(
  limiters: LimiterFactory,
  perMinute: { address: number; user: number },
): RateLimits {
  const addresses = limiters({ name: 'gateway-address', points: perMinute.address, ...perMinuteRule });
  const users = limiters({ name: 'gateway-user', points: perMinute.user, ...perMinuteRule });
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
