import type { SubscriptionDoc } from '../documents.ts';
import type { PaymentsState } from '../payments-state.ts';
import { theItem } from './subscription-item.ts';

/** What asking for the end of the period, or taking it back, changes. */
export function endOf(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  atPeriodEnd: boolean,
): Partial<SubscriptionDoc> {
  const reason = atPeriodEnd ? 'cancellation_requested' : null;
  return {
    cancel_at_period_end: atPeriodEnd,
    cancel_at: atPeriodEnd ? theItem(subscription).current_period_end : null,
    canceled_at: atPeriodEnd ? (subscription.canceled_at ?? state.clock.nowSeconds()) : null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
  };
}
