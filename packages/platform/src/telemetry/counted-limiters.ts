import type { Meter } from '@opentelemetry/api';
import type { LimiterFactory } from '../cache/limiter.ts';

/** The same limits, and a count of whom they held back. */
export function countedLimiters(limiters: LimiterFactory, meter: Meter): LimiterFactory {
  const held = meter.createCounter('casewatch_rate_limited_total', {
    description: 'Tries that a limit refused.',
  });
  return (rule) => {
    const limiter = limiters(rule);
    const attributes = { limit: rule.name };
    held.add(0, attributes);
    return {
      ...limiter,
      async take(key) {
        const secondsToWait = await limiter.take(key);
        if (secondsToWait !== undefined) held.add(1, attributes);
        return secondsToWait;
      },
    };
  };
}
