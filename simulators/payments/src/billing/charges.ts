import {
  type ChargeDoc,
  type DisputeDoc,
  newId,
  type PaymentIntentDoc,
  type PaymentMethodDoc,
  type RefundDoc,
} from '../documents.ts';
import type { PaymentsState } from '../state.ts';
import { invalidRequest } from '../stripe-error.ts';
import type { Decline } from './payment-methods.ts';

/** Records one attempt to take the money; a declined one says why. */
export function recordCharge(
  state: PaymentsState,
  intent: PaymentIntentDoc,
  method: PaymentMethodDoc,
  decline?: Decline,
): void {
  const charge: ChargeDoc = {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    created: state.clock.nowSeconds(),
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    payment_intent: intent.id,
    payment_method: method.id,
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
  };
  state.store.charges.set(charge.id, charge);
  intent.latest_charge = charge.id;
  state.events.emit(`charge.${charge.status}`, charge);
}

/** Refunds all that is left, or the amount. The subscription continues. @throws StripeError when that is too much */
export function refundCharge(state: PaymentsState, charge: ChargeDoc, given: number | undefined): RefundDoc {
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    throw invalidRequest(
      `Charge ${charge.id} has already been refunded.`,
      undefined,
      'charge_already_refunded',
    );
  }
  const amount = given ?? left;
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
    charge: charge.id,
    created: state.clock.nowSeconds(),
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    status: 'succeeded',
  };
  state.store.refunds.set(refund.id, refund);
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  state.events.emit('refund.created', refund);
  state.events.emit('charge.refunded', charge);
  return refund;
}

/** Opens a dispute: the bank takes the payment back until the dispute is decided. */
export function openDispute(state: PaymentsState, charge: ChargeDoc): DisputeDoc {
  const dispute: DisputeDoc = {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount,
    charge: charge.id,
    created: state.clock.nowSeconds(),
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  };
  state.store.disputes.set(dispute.id, dispute);
  charge.disputed = true;
  state.events.emit('charge.dispute.created', dispute);
  return dispute;
}

/** Closes a dispute: the bank has decided. */
export function closeDispute(state: PaymentsState, dispute: DisputeDoc, outcome: 'won' | 'lost'): void {
  dispute.status = outcome;
  state.events.emit('charge.dispute.closed', dispute);
}
