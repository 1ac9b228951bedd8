import type { ChargeDoc, DisputeDoc } from '../documents.ts';
import { newId } from '../ids.ts';
import type { PaymentsState } from '../payments-state.ts';
import { DAY_SECONDS } from './calendar.ts';

const DAYS_TO_ANSWER = 9;

/** The bank takes the payment back until the dispute is decided. */
export function openDispute(state: PaymentsState, charge: ChargeDoc, reason: string): DisputeDoc {
  const now = state.clock.nowSeconds();
  const dispute: DisputeDoc = {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: now + DAYS_TO_ANSWER * DAY_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  };
  state.store.disputes.set(dispute.id, dispute);
  charge.disputed = true;
  state.events.emit('charge.dispute.created', dispute);
  return dispute;
}

/** The bank has decided. */
export function closeDispute(state: PaymentsState, dispute: DisputeDoc, outcome: 'won' | 'lost'): void {
  dispute.status = outcome;
  state.events.emit('charge.dispute.closed', dispute);
}

const NO_EVIDENCE: DisputeDoc['evidence'] = {
  access_activity_log: null,
  appeal: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
