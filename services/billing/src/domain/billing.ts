import type { Tier } from '@casewatch/contracts/limits';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { ReconcileSchedule } from './next-reconcile.ts';
import type { Provider } from './provider.ts';
import type { Account, Store, TrialClaims } from './store.ts';

/** The dependencies of the use cases. */
export interface Billing {
  readonly store: Store;
  readonly provider: Provider;
  readonly trials: TrialClaims;
  readonly services: ServiceClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly schedule: ReconcileSchedule;
  /** A subscription is seen to have changed. */
  countChange(): void;
  /** How long a user keeps pro after a failed renewal. */
  readonly graceMs: number;
  /** Length of the trial of a first subscription; 0: it begins with a payment. */
  readonly trialDays: number;
  /** The provider computes taxes: what is begun needs the buyer's place. */
  readonly computesTax: boolean;
}

/** The caller, as in the identity token. */
export interface Subscriber {
  userId: string;
  tier: Tier;
  name: string;
}

/**
 * Runs `work` with the user's account under the user's lock.
 * @throws AppError SIGNED_OUT when the user has been deleted, PAYMENTS_UNAVAILABLE when the lock times out, RATE_LIMITED
 */
export async function withAccount<T>(
  { store }: Billing,
  userId: string,
  work: (account: Account) => Promise<T>,
): Promise<T> {
  return store.withUserLock(userId, async () => {
    const account = await store.findOrCreate(userId);
    if (account.deleted) throw signedOut();
    return work(account);
  });
}

/** Answers that the user has been deleted. */
export function signedOut(): AppError {
  return new AppError('SIGNED_OUT');
}

export function noSubscription(): AppError {
  return new AppError('NO_SUBSCRIPTION');
}
