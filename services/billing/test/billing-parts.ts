import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import type { Billing } from '../src/domain/billing.ts';
import { NEW_PLAN } from '../src/domain/plan-milestones.ts';
import type { Provider } from '../src/domain/provider.ts';
import type { Account, Store } from '../src/domain/store.ts';

/** The dependencies of a use case, with only what it calls: any other call fails. Locks are always free. */
export function billingOf({
  store = {},
  provider = {},
  ...others
}: Partial<Omit<Billing, 'store' | 'provider'>> & {
  store?: Partial<Store>;
  provider?: Partial<Provider>;
}): Billing {
  return {
    clock: createManualClock(),
    logger: pino({ level: 'silent' }),
    trials: { isTaken: async () => false, has: async () => true, claim: async () => true },
    services: { call: () => Promise.reject(new Error('no other service is asked')) },
    graceMs: 7 * 86_400_000,
    trialDays: 0,
    computesTax: false,
    countChange: () => undefined,
    schedule: { reconcileMs: 60_000, sweepMs: 86_400_000 },
    ...others,
    store: { withUserLock: (_userId, work) => work(), ...store } as Store,
    provider: provider as Provider,
  };
}

/** An account with a customer and without a subscription. */
export const accountOf = (changes: Partial<Account> = {}): Account => ({
  userId: 'user_1',
  email: null,
  name: null,
  customerId: 'cus_1',
  customerAskedMs: null,
  attempt: 0,
  version: 0,
  wakes: 0,
  failures: 0,
  contactChanged: false,
  deleted: false,
  entitlement: undefined,
  trialUsed: false,
  trialRefused: false,
  refusedSubscriptionId: null,
  plan: NEW_PLAN,
  published: null,
  ...changes,
});
