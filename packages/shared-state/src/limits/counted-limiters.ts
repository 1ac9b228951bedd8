import type { Meter } from '@opentelemetry/api';
import type { LimiterFactory } from './limiter.ts';

/** Counts the refusals of these limits. */
export function countedLimiters(limiters: LimiterFactory, meter: Meter): LimiterFactory {
  const held = meter.createCounter('casewatch_rate_limited_total', {
    description: 'Attempts that a limit refused.',
  });
  return (rule) => {
    const limiter = limiters(rule);
    const attributes = { limit: rule.name };
    held.add(0, attributes);
    const counted = <Wait>(wait: Wait): Wait => {
      if (typeof wait === 'number') held.add(1, attributes);
      return wait;
    };
    return {
      ...limiter,
      take: async (key) => counted(await limiter.take(key)),
      reserve: async (key) => counted(await limiter.reserve(key)),
      // Peeked in order to refuse early.
      peek: async (key) => counted(await limiter.peek(key)),
    };
  };
}
