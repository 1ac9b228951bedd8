import { createPollingJob, type PollingJob } from '@casewatch/service-kit/runtime/polling-job';
import type { Billing } from '../domain/billing.ts';
import { reconcileAccount } from '../domain/reconcile-account.ts';

/** Accounts reconciled concurrently: leaves most of BILLING_USERS_AT_ONCE to interactive requests. */
const CONCURRENCY = 4;
/** Routine accounts per poll: with one poll a second, a process's background load on the provider. */
const ROUTINE_BATCH = 8;
const LEASE_MS = 60_000;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 10 * 60_000;
const KEEP_EVENTS_MS = 30 * 86_400_000;
const CLEAN_EVERY_MS = 3_600_000;
const CLEAN_BATCH = 1_000;

/**
 * Reconciles due accounts: at once after an event of the provider, else at an expected change or after the longest
 * interval. Any number of processes may run it: each account is claimed by one, and the claims of a process that dies are
 * due again after their lease.
 */
export function createReconcileAccountsJob(billing: Billing, pollMs: number): PollingJob {
  const { store, provider, clock, logger } = billing;
  let cleanMs = 0;

  /** Resolves to the time until the next pass: none while more urgent work may be due. */
  async function pass(): Promise<number> {
    const nowMs = clock.nowMs();
    const events = await store.claimEvents({ nowMs, leaseMs: LEASE_MS, limit: CONCURRENCY });
    await Promise.all(events.map(settleEvent));
    const urgent = await store.claimDue({
      nowMs: clock.nowMs(),
      leaseMs: LEASE_MS,
      limit: CONCURRENCY,
      urgent: true,
    });
    await Promise.all(urgent.map(reconcile));
    if (urgent.length > 0 || events.length > 0) return 0;
    const routine = await store.claimDue({ nowMs, leaseMs: LEASE_MS, limit: ROUTINE_BATCH, urgent: false });
    for (let at = 0; at < routine.length; at += CONCURRENCY) {
      await Promise.all(routine.slice(at, at + CONCURRENCY).map(reconcile));
    }
    await clean(nowMs);
    return pollMs;
  }

  async function reconcile(userId: string): Promise<void> {
    try {
      await reconcileAccount(billing, userId);
    } catch (error) {
      const failures = (await store.find(userId))?.failures ?? 0;
      logger.warn({ err: error, failures }, 'reconcile accounts: account failed, will retry');
      await store.postponeReconcile(userId, clock.nowMs() + retryMs(failures));
    }
  }

  /** Looks up the customer of an event that names only a payment. */
  async function settleEvent(event: {
    id: string;
    paymentIntentId: string;
    failures: number;
  }): Promise<void> {
    try {
      const customerId = await provider.customerOfPayment(event.paymentIntentId);
      if (customerId !== undefined) await store.makeCustomerDue(customerId, clock.nowMs());
      await store.finishEvent(event.id, clock.nowMs());
    } catch (error) {
      logger.warn({ err: error, event: event.id }, 'billing: customer lookup failed, will retry');
      await store.postponeEvent(event.id, clock.nowMs() + retryMs(event.failures));
    }
  }

  async function clean(nowMs: number): Promise<void> {
    if (nowMs < cleanMs) return;
    const removed = await store.removeEventsDoneBefore(nowMs - KEEP_EVENTS_MS, CLEAN_BATCH);
    if (removed < CLEAN_BATCH) cleanMs = nowMs + CLEAN_EVERY_MS;
  }

  return createPollingJob({ name: 'reconcile-accounts', clock, logger, retryMs: pollMs, pass });
}

function retryMs(failures: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
}
