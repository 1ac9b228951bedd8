import type { InvoiceDoc, SubscriptionDoc } from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import type { PaymentsState } from '../state.ts';
import { settlePayment } from './intents.ts';
import { RETRY_AFTER_DAYS, subscriptionOf, voidInvoice } from './invoices.ts';
import { applyPendingUpdate } from './pending-update.ts';
import {
  cancelSubscription,
  collectInvoice,
  expireSubscription,
  hasEnded,
  renewSubscription,
  theItem,
} from './subscriptions.ts';

/** A first payment has this long (Stripe docs, "How subscriptions work"). */
const INCOMPLETE_SECONDS = 23 * 3_600;

/** How long a paid change takes where it is not made at once. */
const MADE_LATER_SECONDS = 5;

interface DueWork {
  atMs: number;
  run(): void;
}

/** Does everything that is due by now, in the order in which it fell due. */
export function runDueWork(state: PaymentsState): void {
  for (;;) {
    const next = earliestWork(state);
    if (!next || next.atMs > state.clock.nowMs()) return;
    next.run();
  }
}

/** Moves the clock from one due time to the next, so that each thing happens at its own time. */
export function advanceClock(state: PaymentsState, ms: number): void {
  runDueWork(state);
  const target = state.clock.nowMs() + ms;
  for (;;) {
    const next = earliestWork(state);
    if (!next || next.atMs > target) break;
    state.clock.advance(Math.max(0, next.atMs - state.clock.nowMs()));
    next.run();
  }
  state.clock.advance(Math.max(0, target - state.clock.nowMs()));
}

function earliestWork(state: PaymentsState): DueWork | undefined {
  let earliest: DueWork | undefined;
  for (const work of allWork(state)) if (!earliest || work.atMs < earliest.atMs) earliest = work;
  return earliest;
}

function* allWork(state: PaymentsState): Generator<DueWork> {
  for (const [id, atMs] of state.store.settlements) {
    const intent = state.store.paymentIntents.get(id);
    if (intent) yield { atMs, run: () => settlePayment(state, intent, 'succeeded') };
  }
  for (const invoice of state.store.invoices.values()) {
    if (invoice.status !== 'open' || invoice.next_payment_attempt === null) continue;
    yield { atMs: invoice.next_payment_attempt * 1000, run: () => retry(state, invoice) };
  }
  for (const subscription of state.store.subscriptions.values()) {
    const { status, created, pending_update, pause_collection: pause } = subscription;
    if (pause?.resumes_at != null && !hasEnded(subscription)) {
      yield { atMs: pause.resumes_at * 1000, run: () => resumePayments(state, subscription) };
    }
    const change = pending_update && state.store.invoices.get(subscription.latest_invoice ?? '');
    if (change?.status === 'paid') {
      const atMs = ((change.status_transitions.paid_at ?? 0) + MADE_LATER_SECONDS) * 1000;
      yield { atMs, run: () => applyPendingUpdate(state, subscription) };
    } else if (change) {
      yield { atMs: pending_update.expires_at * 1000, run: () => voidInvoice(state, change) };
    }
    if (status === 'incomplete') {
      const atMs = (created + INCOMPLETE_SECONDS) * 1000;
      yield { atMs, run: () => expireSubscription(state, subscription) };
    } else if (status === 'trialing' || status === 'active' || status === 'past_due') {
      const atMs = theItem(subscription).current_period_end * 1000;
      yield { atMs, run: () => renewSubscription(state, subscription) };
    }
  }
}

/** At the end of a pause; what it left uncollected stays so. */
function resumePayments(state: PaymentsState, subscription: SubscriptionDoc): void {
  updateDocument(state, 'customer.subscription.updated', subscription, { pause_collection: null });
}

/** Tries to collect once more; when the last attempt of the schedule fails, the subscription ends. */
function retry(state: PaymentsState, invoice: InvoiceDoc): void {
  invoice.next_payment_attempt = null;
  collectInvoice(state, invoice);
  const subscription = subscriptionOf(state, invoice);
  if (invoice.status === 'open' && invoice.attempt_count > RETRY_AFTER_DAYS.length && subscription) {
    cancelSubscription(state, subscription, 'payment_failed');
  }
}
