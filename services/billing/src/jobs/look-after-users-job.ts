import type { Job } from '@casewatch/service-definition/define-service';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import type { Billing } from '../domain/billing.ts';
import { lookAfterUser } from '../domain/look-after-user.ts';

/** Users looked after side by side: leaves most of BILLING_USERS_AT_ONCE to people who wait. */
const AT_ONCE = 4;
/** Routine looks per poll: with a poll a second, what a process asks of the provider in quiet times. */
const ROUTINE_BATCH = 8;
const LEASE_MS = 60_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 10 * 60_000;
const KEEP_EVENTS_MS = 30 * 86_400_000;
const CLEAN_EVERY_MS = 3_600_000;
const CLEAN_BATCH = 1_000;

export interface LookAfterUsersJob extends Job {
  /** Something is due now. */
  wake(): void;
}

/**
 * Looks after whoever is due: at once after an event of the provider, else when something is expected or for long
 * enough nothing was heard. Any number of processes may run it: each user is claimed by one, and what a process that
 * dies has claimed is due again after its lease.
 */
export function createLookAfterUsersJob(billing: Billing, pollMs: number): LookAfterUsersJob {
  const { store, provider, clock, logger } = billing;
  const stopping = new AbortController();
  const wakeUp = createSignal();
  let running: Promise<void> = Promise.resolve();
  let cleanMs = 0;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const more = await pass().catch((error: unknown) => {
        logger.warn({ err: error }, 'could not look after users; trying again');
        return false;
      });
      if (more) continue;
      const pause = new AbortController();
      const signal = AbortSignal.any([stopping.signal, pause.signal]);
      await wakeUp.wait(clock.sleep(pollMs, signal).catch(() => undefined));
      pause.abort();
    }
  }

  /** Resolves to whether there is more that should not wait. */
  async function pass(): Promise<boolean> {
    const nowMs = clock.nowMs();
    const events = await store.claimEvents({ nowMs, leaseMs: LEASE_MS, limit: AT_ONCE });
    await Promise.all(events.map(settleEvent));
    const urgent = await store.claimDue({
      nowMs: clock.nowMs(),
      leaseMs: LEASE_MS,
      limit: AT_ONCE,
      urgent: true,
    });
    await Promise.all(urgent.map(lookAfter));
    if (urgent.length > 0 || events.length > 0) return true;
    const routine = await store.claimDue({ nowMs, leaseMs: LEASE_MS, limit: ROUTINE_BATCH, urgent: false });
    for (let at = 0; at < routine.length; at += AT_ONCE) {
      await Promise.all(routine.slice(at, at + AT_ONCE).map(lookAfter));
    }
    await clean(nowMs);
    return false;
  }

  async function lookAfter(userId: string): Promise<void> {
    try {
      await lookAfterUser(billing, userId);
    } catch (error) {
      const failures = (await store.find(userId))?.failures ?? 0;
      logger.warn({ err: error, failures }, 'a user could not be brought in line with Stripe; trying again');
      await store.putOffLook(userId, clock.nowMs() + retryMs(failures));
    }
  }

  /** Finds out whose event it is. */
  async function settleEvent(event: {
    id: string;
    paymentIntentId: string;
    failures: number;
  }): Promise<void> {
    try {
      const customerId = await provider.customerOfPayment(event.paymentIntentId);
      if (customerId !== undefined) await store.wakeCustomer(customerId, clock.nowMs());
      await store.finishEvent(event.id, clock.nowMs());
    } catch (error) {
      logger.warn({ err: error, event: event.id }, 'whose event it is could not be asked; trying again');
      await store.putOffEvent(event.id, clock.nowMs() + retryMs(event.failures));
    }
  }

  async function clean(nowMs: number): Promise<void> {
    if (nowMs < cleanMs) return;
    const removed = await store.removeEventsDoneBefore(nowMs - KEEP_EVENTS_MS, CLEAN_BATCH);
    if (removed < CLEAN_BATCH) cleanMs = nowMs + CLEAN_EVERY_MS;
  }

  return {
    name: 'look-after-users',
    wake: wakeUp.notify,
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      wakeUp.notify();
      await running;
    },
  };
}

function retryMs(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
}
