import { limitKey } from '@casewatch/service-kit/http/limit-key';
import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import { checkCounted, type GuessLimit } from './counted-check.ts';

export interface AdminThrottleRules {
  triesPerAddress: number;
  /** Of all addresses together that no administrator has used before. */
  triesOverall: number;
}

const WINDOW_SECONDS = 15 * 60;
const ALL = 'all';

export type AdminThrottle = ReturnType<typeof createAdminThrottle>;

export function createAdminThrottle(limiters: LimiterFactory, rules: AdminThrottleRules) {
  const rule = { perSeconds: WINDOW_SECONDS };
  const addresses = limiters({ ...rule, name: 'admin-address', points: rules.triesPerAddress });
  const devices = limiters({ ...rule, name: 'admin-device', points: rules.triesPerAddress });
  const overall = limiters({ ...rule, name: 'admin-overall', points: rules.triesOverall });

  return {
    /**
     * Checks a passcode as one counted guess. Guessing from many addresses uses up what they have together;
     * `isKnown` addresses have their own tries only, and a browser that has opened the area before (`deviceId`) has them
     * to itself: guessing keeps out neither administrators who have been there before nor colleagues behind one address.
     * @throws AppError RATE_LIMITED
     */
    passcode(
      { address, isKnown, deviceId }: { address: string; isKnown: boolean; deviceId: string | undefined },
      matches: () => boolean,
    ): Promise<boolean> {
      const refusal = 'too-many-passcodes';
      const check = (limits: GuessLimit[]) =>
        checkCounted(limits, (guess) => guess.count(async () => matches()));
      if (deviceId !== undefined) {
        return check([{ limiter: devices, key: deviceId, refusal, clearedBySuccess: true }]);
      }
      // The address first: one that has used up its attempts cannot use up the shared ones as well.
      const own: GuessLimit = {
        limiter: addresses,
        key: limitKey(address),
        refusal,
        clearedBySuccess: true,
      };
      const all: GuessLimit = { limiter: overall, key: ALL, refusal, clearedBySuccess: false };
      return check(isKnown ? [own] : [own, all]);
    },
  };
}
