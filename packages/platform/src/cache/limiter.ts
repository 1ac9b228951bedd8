import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export interface LimitRule {
  /** Unique within the product; prefixes the keys. */
  name: string;
  points: number;
  perSeconds: number;
}

export interface Limiter {
  /** Takes a point. Resolves to the seconds to wait when there is none left, else to undefined. */
  take(key: string): Promise<number | undefined>;
  /** The seconds to wait when no point is left, else undefined; takes nothing. */
  peek(key: string): Promise<number | undefined>;
  /** Forgets the key: a success clears the failures before it. */
  reset(key: string): Promise<void>;
}

/** Limits hold for all processes that share the factory's store. */
export type LimiterFactory = (rule: LimitRule) => Limiter;

/** Limits of one process, in memory. */
export const memoryLimiters: LimiterFactory = ({ name, points, perSeconds }) => {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: perSeconds });
  return {
    async take(key) {
      try {
        await limiter.consume(key);
        return undefined;
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return secondsToWait(refusal);
        throw refusal;
      }
    },
    async peek(key) {
      const state = await limiter.get(key);
      return state && state.consumedPoints >= points ? secondsToWait(state) : undefined;
    },
    async reset(key) {
      await limiter.delete(key);
    },
  };
};

function secondsToWait({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
