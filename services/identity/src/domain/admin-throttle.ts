import { limitKey } from '@casewatch/service-kit/http/limit-key';
import type { LimiterFactory } from '@casewatch/shared-state/limits/limiter';
import { checkCounted, type GuessLimit } from './counted-check.ts';

export interface AdminThrottleRules {
  triesPerAddress: number;
  /** Of all addresses together that no administrator has used before. */
  triesOverall: number;
}

export interface AdminThrottle {
  /**
   * Checks a passcode as one counted guess. Guessing from many addresses uses up what they have together;
   * `isKnown` addresses have their own tries only, so that it keeps no administrator out who has been there before.
   * @throws AppError RATE_LIMITED
   */
  passcode(from: { address: string; isKnown: boolean }, matches: () => boolean): Promise<boolean>;
}

const WINDOW_SECONDS = 15 * 60;
const EVERYBODY = 'all';

export function createAdminThrottle(limiters: LimiterFactory, rules: AdminThrottleRules): AdminThrottle {
  const rule = { perSeconds: WINDOW_SECONDS };
  const addresses = limiters({ ...rule, name: 'admin-address', points: rules.triesPerAddress });
  const overall = limiters({ ...rule, name: 'admin-overall', points: rules.triesOverall });

  return {
    passcode({ address, isKnown }, matches) {
      const refusal = 'Too many wrong passcodes.';
      // The address first: one that has used up its tries can't use up everybody's as well.
      const own: GuessLimit = {
        limiter: addresses,
        key: limitKey(address),
        refusal,
        clearedBySuccess: true,
      };
      const all: GuessLimit = { limiter: overall, key: EVERYBODY, refusal, clearedBySuccess: false };
      return checkCounted(isKnown ? [own] : [own, all], (guess) => guess.count(async () => matches()));
    },
  };
}
