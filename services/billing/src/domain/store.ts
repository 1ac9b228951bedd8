import type { PayloadOf } from '@casewatch/contracts/event-type';
import type { userChanged } from '@casewatch/contracts/events';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { SubscriptionChange } from './changes-to-publish.ts';
import type { Entitlement } from './entitlement.ts';
import type { PlanRecord, ReachedMilestone } from './plan-milestones.ts';
import type { PlanPrice } from './provider.ts';

/** A user's customer at the provider, and the subscription as it was last read. */
export interface Account {
  userId: string;
  email: string | null;
  name: string | null;
  customerId: string | null;
  /** When the provider was last asked for a customer without an answer: it may exist. */
  customerAskedMs: number | null;
  attempt: number;
  version: number;
  wakes: number;
  failures: number;
  /** The provider may have another name or address than the user has now. */
  contactChanged: boolean;
  deleted: boolean;
  entitlement: StoredEntitlement | undefined;
  trialUsed: boolean;
  /** The address or the card has had a trial: none is given to this account. */
  trialRefused: boolean;
  /** The subscription that was ended for that: it never counts. */
  refusedSubscriptionId: string | null;
  plan: PlanRecord;
  /** The change that was published last. */
  published: string | null;
}

/** What is derived from the provider's state at each read is not stored. */
export type StoredEntitlement = Omit<
  Entitlement,
  'createdMs' | 'trialReminderMs' | 'unpaidInvoiceId' | 'endReason'
>;

/** What the provider's state means for an account, to be saved at once. */
export interface Reconciled {
  entitlement: Entitlement | undefined;
  trialUsed: boolean;
  change: SubscriptionChange | undefined;
  milestones: readonly ReachedMilestone[];
  plan: PlanRecord;
  nextReconcileMs: number | null;
}

export interface ProviderEvent {
  id: string;
  type: string;
  customerId: string | undefined;
  /** Set for an event that names a payment and no customer. */
  paymentIntentId: string | undefined;
}

/** Customers, subscriptions and prices. */
export interface Accounts {
  find(userId: string): Promise<Account | undefined>;
  /** Creates a missing account. */
  findOrCreate(userId: string): Promise<Account>;
  /** Records that a customer is about to be created. Resolves to false for a deleted user: nothing may be created. */
  askForCustomer(userId: string, nowMs: number): Promise<boolean>;
  saveCustomer(userId: string, customerId: string | null, nowMs: number): Promise<void>;
  /** Records the address that the provider has now, unless the user has changed again since `account` was read. */
  saveContact(account: Account, email: string): Promise<void>;
  /** Records a permanent refusal of the provider: the next attempt gets another idempotency key. */
  countAttempt(userId: string): Promise<void>;
  /**
   * Saves the entitlement and when to reconcile next, and publishes the change and the milestones, in one transaction;
   * nothing when the account's `version` has changed. Resolves to whether it was saved.
   */
  saveReconciled(account: Account, reconciled: Reconciled): Promise<boolean>;
  /**
   * Records that the account gets no trial, and which subscription was to begin with one. The next attempt gets another idempotency
   * key: it asks for something else.
   */
  refuseTrial(userId: string, subscriptionId: string | null): Promise<void>;
  /** After a failure: the account is due again at `untilMs`. */
  postponeReconcile(userId: string, untilMs: number): Promise<void>;
  /** Records that the provider has removed the customer of a deleted user: only the tombstone stays. */
  close(userId: string): Promise<void>;

  /** Claims at most `limit` due users for this process until `leaseMs` from now. */
  claimDue(options: { nowMs: number; leaseMs: number; limit: number; urgent: boolean }): Promise<string[]>;

  prices(): Promise<PlanPrice[]>;
  savePrices(prices: readonly PlanPrice[], nowMs: number): Promise<void>;
}

/** Events of the provider. */
export interface ProviderEvents {
  /** Saves the event and makes its customer due in one transaction. Resolves to false for a known event. */
  saveEvent(event: ProviderEvent, nowMs: number): Promise<boolean>;
  makeCustomerDue(customerId: string, nowMs: number): Promise<void>;
  /** Claims events whose customer has to be looked up, for this process until `leaseMs` from now. */
  claimEvents(options: {
    nowMs: number;
    leaseMs: number;
    limit: number;
  }): Promise<{ id: string; paymentIntentId: string; failures: number }[]>;
  finishEvent(id: string, nowMs: number): Promise<void>;
  postponeEvent(id: string, untilMs: number): Promise<void>;
  /** Removes at most `limit` events that were done before. Resolves to how many. */
  removeEventsDoneBefore(beforeMs: number, limit: number): Promise<number>;
}

/** The port to the database. */
export interface Store extends Accounts, ProviderEvents {
  /**
   * Runs `work` under the user's lock, which excludes all processes. Few calls of a user may wait in a process; one that
   * skips the queue is next, and always may.
   * @throws AppError PAYMENTS_UNAVAILABLE when waiting for the lock times out, RATE_LIMITED when too many calls wait
   */
  withUserLock<T>(userId: string, work: () => Promise<T>, options?: { skipQueue?: boolean }): Promise<T>;
}

/** What events of identity change, in the transaction that marks them as handled. */
export interface UserRows {
  /** Records a new user's name and address, unless a later change of them is known or the user has been deleted. */
  record(tx: SqlExecutor, user: { userId: string; email: string; name: string }): Promise<void>;
  /**
   * Records a name or address that differs from what the provider has; a name, unless that of a later change is known. A
   * customer is due at once; for one that is being created just now it is done after that.
   */
  recordChanged(tx: SqlExecutor, changed: PayloadOf<typeof userChanged>, nowMs: number): Promise<void>;
  /**
   * Erases the user's data and leaves the tombstone, with the customer's id until the provider has removed the customer,
   * which is due at once, or when one whose creation was not answered can be found. The new version keeps work in progress
   * for the user from writing anything back. What has had a trial stays as keyed hashes, which lead to no one.
   */
  erase(tx: SqlExecutor, userId: string, nowMs: number): Promise<void>;
}

/** What has one trial: a mailbox, or what a payer is known by at the provider. */
export interface TrialMark {
  kind: 'address' | 'payer';
  value: string;
}

/**
 * Remembers what has had a trial, also after the account is deleted; by keyed hashes alone.
 */
export interface TrialClaims {
  /** Whether another account has had a trial with it; undefined while the hashes can't be made. */
  isTaken(userId: string, mark: TrialMark): Promise<boolean | undefined>;
  /** Whether the trial of this subscription was claimed by this user. */
  has(userId: string, subscriptionId: string): Promise<boolean>;
  /**
   * Claims all of the marks for a trial, or none: false when one of them has had another trial, or the user has been deleted. Idempotent.
   * @throws AppError PAYMENTS_UNAVAILABLE while the hashes can't be made: the trial waits
   */
  claim(
    claim: { userId: string; subscriptionId: string; nowMs: number },
    marks: readonly TrialMark[],
  ): Promise<boolean>;
}
