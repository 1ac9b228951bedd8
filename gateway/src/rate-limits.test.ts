import type { LimitRule } from '@casewatch/shared-state/limits/limiter';
import { memoryLimiters } from '@casewatch/shared-state/limits/limiter';
import { expect, test } from 'vitest';
import { createRateLimits } from './rate-limits.ts';

test('requests are counted for a minute, by network or by user, also while the shared store is unavailable', async () => {
  const rules: LimitRule[] = [];
  const taken: [name: string, key: string][] = [];
  const limits = createRateLimits(
    (rule) => {
      rules.push(rule);
      const limiter = memoryLimiters(rule);
      return {
        ...limiter,
        take: (key) => {
          taken.push([rule.name, key]);
          return limiter.take(key);
        },
      };
    },
    { api: 1, web: 2, user: 3 },
  );
  const perMinute = { perSeconds: 60, whenUnavailable: 'count-locally' };
  expect(rules).toEqual([
    { name: 'gateway-address', points: 1, ...perMinute },
    { name: 'gateway-address-web', points: 2, ...perMinute },
    { name: 'gateway-user', points: 3, ...perMinute },
  ]);
  await limits.forAddress('192.0.2.1', 'api');
  await limits.forAddress('2001:db8::1', 'web');
  await limits.forUser('ada');
  expect(taken).toEqual([
    ['gateway-address', '192.0.2.1'],
    ['gateway-address-web', '2001:db8:0:0::/64'],
    ['gateway-user', 'ada'],
  ]);
  await expect(limits.forAddress('192.0.2.1', 'api')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 60,
  });
});
