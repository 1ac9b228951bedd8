import type { ChargeDoc, RefundDoc } from '../documents.ts';
import { newId } from '../ids.ts';
import type { PaymentsState } from '../payments-state.ts';
import { invalidRequest } from '../stripe-error.ts';

/** Gives back all that is left, or the amount. The subscription goes on. @throws StripeError when that is too much */
export function refundCharge(
  state: PaymentsState,
  charge: ChargeDoc,
  given: {
    amount?: number | undefined;
    reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
    metadata: Record<string, string>;
  },
): RefundDoc {
  const left = charge.amount_captured - charge.amount_refunded;
  if (left === 0) {
    throw invalidRequest(
      `Charge ${charge.id} has already been refunded.`,
      undefined,
      'charge_already_refunded',
    );
  }
  const amount = given.amount ?? left;
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'amount',
    );
  }
  const refund: RefundDoc = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: state.clock.nowSeconds(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: given.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: given.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  state.store.refunds.set(refund.id, refund);
  const before = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  state.events.emit('refund.created', refund);
  state.events.emit('charge.refunded', charge, before);
  return refund;
}
