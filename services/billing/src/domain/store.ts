import type { Announcement } from './announcement.ts';
import type { Entitlement } from './entitlement.ts';
import type { PlanPrice } from './provider.ts';

/** What is kept of a user: their customer at the provider, and the subscription as it was last seen. */
export interface Account {
  userId: string;
  email: string | null;
  name: string | null;
  customerId: string | null;
  attempt: number;
  version: number;
  wakes: number;
  failures: number;
  deleted: boolean;
  /** `createdMs` is not kept. */
  entitlement: Omit<Entitlement, 'createdMs'> | undefined;
  trialUsed: boolean;
  /** What the other services were last told. */
  announced: string | null;
}

export interface ProviderEvent {
  id: string;
  type: string;
  customerId: string | undefined;
  /** Of an event that names a payment and no customer. */
  paymentIntentId: string | undefined;
}

/** What the use cases need of the database. */
export interface Store {
  find(userId: string): Promise<Account | undefined>;
  /** The same, made when missing. */
  findOrCreate(userId: string): Promise<Account>;
  /**
   * Runs `work` while nobody else, in any process, works for this user; waits for whoever does.
   * @throws AppError PAYMENTS_UNAVAILABLE when that takes too long.
   */
  alone<T>(userId: string, work: () => Promise<T>): Promise<T>;
  saveCustomer(userId: string, customerId: string | null, nowMs: number): Promise<void>;
  /** The provider has refused for good: the next try is another one. */
  countAttempt(userId: string): Promise<void>;
  /**
   * Keeps what was seen and when to look next, and publishes the news, in one transaction; nothing of it when the
   * account is not at `version` any more. Resolves to whether it was kept.
   */
  saveLook(
    account: Account,
    look: {
      entitlement: Entitlement | undefined;
      trialUsed: boolean;
      news: Announcement | undefined;
      nextLookMs: number | null;
    },
  ): Promise<boolean>;
  /** The look has failed: it is due again then. */
  putOffLook(userId: string, untilMs: number): Promise<void>;
  /** The customer of a deleted user is gone at the provider: only the tombstone stays. */
  close(userId: string): Promise<void>;

  /** At most `limit` users that are due, each for this caller alone until `leaseMs` from now. */
  claimDue(options: { nowMs: number; leaseMs: number; limit: number; urgent: boolean }): Promise<string[]>;

  /** Keeps the event and wakes its customer in one transaction. Resolves to false for one that is known. */
  keepEvent(event: ProviderEvent, nowMs: number): Promise<boolean>;
  wakeCustomer(customerId: string, nowMs: number): Promise<void>;
  /** Events whose customer has to be asked for, for this caller alone until `leaseMs` from now. */
  claimEvents(options: {
    nowMs: number;
    leaseMs: number;
    limit: number;
  }): Promise<{ id: string; paymentIntentId: string; failures: number }[]>;
  finishEvent(id: string, nowMs: number): Promise<void>;
  putOffEvent(id: string, untilMs: number): Promise<void>;
  /** At most `limit` of those that were done before. Resolves to how many. */
  removeEventsDoneBefore(beforeMs: number, limit: number): Promise<number>;

  prices(): Promise<PlanPrice[]>;
  savePrices(prices: readonly PlanPrice[], nowMs: number): Promise<void>;
}
