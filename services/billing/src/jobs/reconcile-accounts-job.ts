import type { Job } from '@casewatch/service-definition/define-service';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import type { Billing } from '../domain/billing.ts';
import { reconcileAccount } from '../domain/reconcile-account.ts';

/** Accounts reconciled concurrently: leaves most of BILLING_USERS_AT_ONCE to interactive requests. */
const CONCURRENCY = 4;
/** Routine accounts per poll: with one poll a second, a process's background load on the provider. */
const ROUTINE_BATCH = 8;
const LEASE_MS = 60_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 10 * 60_000;
const KEEP_EVENTS_MS = 30 * 86_400_000;
const CLEAN_EVERY_MS = 3_600_000;
const CLEAN_BATCH = 1_000;

export interface ReconcileAccountsJob extends Job {
  /** Starts the next pass now instead of at the next poll. */
  notify(): void;
}

/**
 * Reconciles due accounts: at once after an event of the provider, else at an expected change or after the longest
 * interval. Any number of processes may run it: each account is claimed by one, and the claims of a process that dies are
 * due again after their lease.
 */
export function createReconcileAccountsJob(billing: Billing, pollMs: number): ReconcileAccountsJob {
  const { store, provider, clock, logger } = billing;
  const stopping = new AbortController();
  const signal = createSignal();
  let running: Promise<void> = Promise.resolve();
  let cleanMs = 0;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const more = await pass().catch((error: unknown) => {
        logger.warn({ err: error }, 'reconcile accounts: pass failed, retrying at the next poll');
        return false;
      });
      if (more) continue;
      const pause = new AbortController();
      const either = AbortSignal.any([stopping.signal, pause.signal]);
      await signal.wait(clock.sleep(pollMs, either).catch(() => undefined));
      pause.abort();
    }
  }

  /** Resolves to whether more urgent work may be due. */
  async function pass(): Promise<boolean> {
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
    if (urgent.length > 0 || events.length > 0) return true;
    const routine = await store.claimDue({ nowMs, leaseMs: LEASE_MS, limit: ROUTINE_BATCH, urgent: false });
    for (let at = 0; at < routine.length; at += CONCURRENCY) {
      await Promise.all(routine.slice(at, at + CONCURRENCY).map(reconcile));
    }
    await clean(nowMs);
    return false;
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

  return {
    name: 'reconcile-accounts',
    notify: signal.notify,
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      signal.notify();
      await running;
    },
  };
}

function retryMs(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
}
