import type { LimiterFactory } from '@casewatch/platform/cache/limiter';
import { limitKey } from '@casewatch/platform/http/limit-key';
import { refuseAfter, type Try } from './throttle.ts';

export interface AdminThrottleRules {
  triesPerAddress: number;
  /** Of all addresses together that no administrator has used before. */
  triesOverall: number;
}

export interface AdminThrottle {
  /**
   * Takes a try before the passcode is looked at. Guessing from many addresses uses up what they have together;
   * `isKnown` addresses have their own tries only, so that it keeps no administrator out who has been there before.
   * @throws AppError RATE_LIMITED
   */
  passcode(address: string, isKnown: boolean): Promise<Try>;
}

const WINDOW_SECONDS = 15 * 60;
const EVERYBODY = 'all';

export function createAdminThrottle(limiters: LimiterFactory, rules: AdminThrottleRules): AdminThrottle {
  const rule = { perSeconds: WINDOW_SECONDS };
  const addresses = limiters({ ...rule, name: 'admin-address', points: rules.triesPerAddress });
  const overall = limiters({ ...rule, name: 'admin-overall', points: rules.triesOverall });

  return {
    async passcode(address, isKnown) {
      const key = limitKey(address);
      // The address first: one that has used up its tries can't use up everybody's as well.
      refuseAfter(await addresses.take(key), 'Too many wrong passcodes.');
      if (!isKnown) refuseAfter(await overall.take(EVERYBODY), 'Too many wrong passcodes.');
      return {
        succeeded: async () => {
          await addresses.reset(key);
          if (!isKnown) await overall.giveBack(EVERYBODY);
        },
        undo: async () => {
          await addresses.giveBack(key);
          if (!isKnown) await overall.giveBack(EVERYBODY);
        },
      };
    },
  };
}
