import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export interface LimitRule {
  /** Unique within the product; prefixes the keys. */
  name: string;
  points: number;
  perSeconds: number;
  /**
   * While the shared store is away: `refuse` what is limited with AppError UNAVAILABLE (the default, for what guards a
   * secret), or `count-alone`: each process limits what it sees itself.
   */
  whenAway?: 'refuse' | 'count-alone';
}

export interface Limiter {
  /** Takes a point. Resolves to the seconds to wait when there is none left, else to undefined. */
  take(key: string): Promise<number | undefined>;
  /** Undoes one `take`: the try turned out not to count. */
  giveBack(key: string): Promise<void>;
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
    async giveBack(key) {
      // Nothing to give back once the window is over: a reward would start a new one with an extra point.
      const state = await limiter.get(key);
      if (state && state.msBeforeNext > 0 && state.consumedPoints > 0) await limiter.reward(key);
    },
    async peek(key) {
      const state = await limiter.get(key);
      // The store drops a window with a timer, which may be late: a window that is over counts as gone.
      if (!state || state.msBeforeNext <= 0) return undefined;
      return state.consumedPoints >= points ? secondsToWait(state) : undefined;
    },
    async reset(key) {
      await limiter.delete(key);
    },
  };
};

function secondsToWait({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
