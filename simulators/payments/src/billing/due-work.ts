import type { PaymentsState } from '../payments-state.ts';
import { DAY_SECONDS } from './calendar.ts';
import { cancelSubscription, expireSubscription } from './cancel-subscription.ts';
import { settlePayment } from './charge-intent.ts';
import { remindOfTrialEnd, TRIAL_REMINDER_DAYS } from './create-subscription.ts';
import { RETRY_AFTER_DAYS } from './invoice-outcome.ts';
import { collectInvoice } from './invoices.ts';
import { subscriptionOf } from './lookups.ts';
import { renewSubscription } from './renew-subscription.ts';
import { theItem } from './subscription-item.ts';

/** A first payment has this long (Stripe docs, "How subscriptions work"). */
const INCOMPLETE_SECONDS = 23 * 3_600;

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

/** Moves the clock from one due thing to the next, so that each happens at its own time. */
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
    const { status } = subscription;
    const endMs = theItem(subscription).current_period_end * 1000;
    if (status === 'incomplete') {
      const atMs = (subscription.created + INCOMPLETE_SECONDS) * 1000;
      yield { atMs, run: () => expireSubscription(state, subscription) };
    }
    if (status === 'trialing' && !state.store.trialReminders.has(subscription.id)) {
      const atMs = endMs - TRIAL_REMINDER_DAYS * DAY_SECONDS * 1000;
      yield { atMs, run: () => remindOfTrialEnd(state, subscription) };
    }
    if (status === 'trialing' || status === 'active' || status === 'past_due') {
      yield { atMs: endMs, run: () => renewSubscription(state, subscription) };
    }
  }
}

/** The last attempt of the schedule ends the subscription when it fails. */
function retry(state: PaymentsState, invoice: Parameters<typeof collectInvoice>[1]): void {
  invoice.next_payment_attempt = null;
  collectInvoice(state, invoice);
  const subscription = subscriptionOf(state, invoice);
  if (invoice.status === 'open' && invoice.attempt_count > RETRY_AFTER_DAYS.length && subscription) {
    cancelSubscription(state, subscription, 'payment_failed');
  }
}
