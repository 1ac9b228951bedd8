import type { Tier } from '@casewatch/contracts/limits';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { LookPace } from './next-look.ts';
import type { Provider } from './provider.ts';
import type { Account, Store } from './store.ts';

/** What the use cases work with. */
export interface Billing {
  readonly store: Store;
  readonly provider: Provider;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pace: LookPace;
  /** How long an unpaid renewal leaves pro. */
  readonly graceMs: number;
  /** Of a first subscription; 0: it begins with a payment. */
  readonly trialDays: number;
}

/** Who asks, as the identity token says. */
export interface Subscriber {
  userId: string;
  tier: Tier;
  name: string;
}

/**
 * Runs `work` with the user's account while nobody else works for them.
 * @throws AppError SIGNED_OUT when the user has been deleted, PAYMENTS_UNAVAILABLE when it takes too long
 */
export async function withAccount<T>(
  { store }: Billing,
  userId: string,
  work: (account: Account) => Promise<T>,
): Promise<T> {
  return store.alone(userId, async () => {
    const account = await store.findOrCreate(userId);
    if (account.deleted) throw new AppError('SIGNED_OUT', 'Please sign in to continue.');
    return work(account);
  });
}

export function noSubscription(): AppError {
  return new AppError('NO_SUBSCRIPTION', 'There is no subscription that this could be done with.');
}
