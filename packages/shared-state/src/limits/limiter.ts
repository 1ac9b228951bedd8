import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export interface LimitRule {
  /** Unique within the product; prefixes the keys. */
  name: string;
  points: number;
  perSeconds: number;
  /**
   * While the shared store is unavailable: `refuse` with AppError UNAVAILABLE (the default, for limits that guard a
   * secret), or `count-locally`: each process counts its own requests.
   */
  whenUnavailable?: 'refuse' | 'count-locally';
}

export interface Limiter {
  /** Takes a point. Resolves to the seconds to wait when there is none left, else to undefined. A refused try takes none. */
  take(key: string): Promise<number | undefined>;
  /** Undoes one `take`: the try turned out not to count. */
  giveBack(key: string): Promise<void>;
  /**
   * Takes a point for an attempt whose outcome is not known yet; `confirm` or `release` must follow. Resolves to
   * undefined, to `pending` when attempts in flight hold the last points (ask again soon), or to the seconds to wait.
   */
  reserve(key: string): Promise<number | 'pending' | undefined>;
  /** Ends a reservation: the attempt counts, its point stays taken. */
  confirm(key: string): Promise<void>;
  /** Ends a reservation: the attempt does not count, its point is free again. */
  release(key: string): Promise<void>;
  /** Returns the seconds to wait when every point is taken for good, else undefined; takes nothing. */
  peek(key: string): Promise<number | undefined>;
  /** Clears points taken (a success clears the failures before it), but not those of attempts in flight. */
  reset(key: string): Promise<void>;
}

/** Limits hold for all processes that share the factory's store. */
export type LimiterFactory = (rule: LimitRule) => Limiter;

/** Limits of one process, in memory. */
export const memoryLimiters: LimiterFactory = ({ name, points, perSeconds }) => {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: perSeconds });
  const inFlight = new Map<string, number>();
  const inFlightOf = (key: string) => inFlight.get(key) ?? 0;
  const end = (key: string) => {
    if (inFlightOf(key) <= 1) inFlight.delete(key);
    else inFlight.set(key, inFlightOf(key) - 1);
  };

  /** The library counts refused tries as well; here they take nothing. */
  async function take(key: string): Promise<number | undefined> {
    try {
      await limiter.consume(key);
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      await giveBack(key);
      return secondsToWait(refusal);
    }
  }

  async function giveBack(key: string): Promise<void> {
    // Nothing to give back once the window is over: a reward would start a new one with an extra point.
    const state = await limiter.get(key);
    if (state && state.msBeforeNext > 0 && state.consumedPoints > 0) await limiter.reward(key);
  }

  return {
    take,
    giveBack,
    async reserve(key) {
      // The point is taken within this call: a concurrent `peek` has to find it in flight, not taken for good.
      const taking = take(key);
      inFlight.set(key, inFlightOf(key) + 1);
      const wait = await taking;
      if (wait === undefined) return undefined;
      end(key);
      return inFlightOf(key) > 0 ? 'pending' : wait;
    },
    confirm: async (key) => end(key),
    async release(key) {
      await giveBack(key);
      end(key);
    },
    async peek(key) {
      const state = await limiter.get(key);
      // The store drops a window with a timer, which may be late: a window that is over counts as expired.
      if (!state || state.msBeforeNext <= 0) return undefined;
      return state.consumedPoints - inFlightOf(key) >= points ? secondsToWait(state) : undefined;
    },
    async reset(key) {
      const held = inFlightOf(key);
      if (held > 0) await limiter.set(key, held, perSeconds);
      else await limiter.delete(key);
    },
  };
};

function secondsToWait({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
