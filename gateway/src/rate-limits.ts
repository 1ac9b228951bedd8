import { AppError } from '@casewatch/service-kit/errors/app-error';
import { limitKey } from '@casewatch/service-kit/http/limit-key';
import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import type { Area } from './refusal-log.ts';

export type RateLimits = ReturnType<typeof createRateLimits>;

export interface RequestsPerMinute {
  /** Of one address to anything under `/api`, whether or not it exists. */
  api: number;
  /** Of one address to everything else. */
  web: number;
  /** Of one signed-in user to the API. */
  user: number;
}

/** These guard against overload, not a secret: without the shared store each process counts on its own. */
const perMinuteRule = { perSeconds: 60, whenUnavailable: 'count-locally' } as const;

/** Limits the requests of an address (IPv6: a /64 network) and of a signed-in user within a minute. Both throw AppError RATE_LIMITED. */
export function createRateLimits(limiters: LimiterFactory, perMinute: RequestsPerMinute) {
  const addresses = {
    api: limiters({ name: 'gateway-address', points: perMinute.api, ...perMinuteRule }),
    web: limiters({ name: 'gateway-address-web', points: perMinute.web, ...perMinuteRule }),
  };
  const users = limiters({ name: 'gateway-user', points: perMinute.user, ...perMinuteRule });
  return {
    forAddress: async (address: string, area: Area) => refuse(await addresses[area].take(limitKey(address))),
    forUser: async (userId: string) => refuse(await users.take(userId)),
  };
}

function refuse(secondsToWait: number | undefined): void {
  if (secondsToWait === undefined) return;
  throw new AppError('RATE_LIMITED', 'RATE_LIMITED', {
    retryAfterSeconds: secondsToWait,
  });
}
