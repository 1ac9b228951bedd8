import { z } from 'zod';
import { refundCharge } from '../billing/refund-charge.ts';
import type { ChargeDoc } from '../documents.ts';
import { idOf, route } from '../http/api-route.ts';
import { listPage } from '../http/list-page.ts';
import { integer, metadata, pageParams, text } from '../http/params.ts';
import type { PaymentsState } from '../payments-state.ts';
import { invalidRequest, resourceMissing } from '../stripe-error.ts';
import { mergeMetadata } from './metadata.ts';

const ofCharge = { ...pageParams, charge: text.optional(), payment_intent: text.optional() };
const refundParams = z.strictObject({
  amount: integer.pipe(z.number().positive()).optional(),
  charge: text.optional(),
  metadata: metadata.optional(),
  payment_intent: text.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

export const chargeRoutes = [
  route(
    'GET',
    '/v1/charges',
    z.strictObject({ ...pageParams, customer: text.optional(), payment_intent: text.optional() }),
    ({ state }, { customer, payment_intent, ...page }) =>
      listPage(
        [...state.store.charges.values()].filter(
          (charge) =>
            (customer === undefined || charge.customer === customer) &&
            (payment_intent === undefined || charge.payment_intent === payment_intent),
        ),
        '/v1/charges',
        page,
      ),
  ),
  route('GET', '/v1/charges/:id', z.strictObject({}), (call) => {
    const charge = call.state.store.charges.get(idOf(call));
    if (!charge) throw resourceMissing('charge', idOf(call));
    return charge;
  }),
  route('POST', '/v1/refunds', refundParams, ({ state }, given) =>
    refundCharge(state, chargeOf(state, given), {
      amount: given.amount,
      reason: given.reason ?? null,
      metadata: mergeMetadata({}, given.metadata ?? {}),
    }),
  ),
  route('GET', '/v1/refunds', z.strictObject(ofCharge), ({ state }, { charge, payment_intent, ...page }) =>
    listPage(of([...state.store.refunds.values()], { charge, payment_intent }), '/v1/refunds', page),
  ),
  route('GET', '/v1/refunds/:id', z.strictObject({}), (call) => {
    const refund = call.state.store.refunds.get(idOf(call));
    if (!refund) throw resourceMissing('refund', idOf(call));
    return refund;
  }),
  route('GET', '/v1/disputes', z.strictObject(ofCharge), ({ state }, { charge, payment_intent, ...page }) =>
    listPage(of([...state.store.disputes.values()], { charge, payment_intent }), '/v1/disputes', page),
  ),
  route('GET', '/v1/disputes/:id', z.strictObject({}), (call) => {
    const dispute = call.state.store.disputes.get(idOf(call));
    if (!dispute) throw resourceMissing('dispute', idOf(call));
    return dispute;
  }),
];

function of<T extends { charge: string; payment_intent: string }>(
  documents: T[],
  { charge, payment_intent }: { charge: string | undefined; payment_intent: string | undefined },
): T[] {
  return documents.filter(
    (each) =>
      (charge === undefined || each.charge === charge) &&
      (payment_intent === undefined || each.payment_intent === payment_intent),
  );
}

/** The charge that is named, or the successful one of the intent that is named. */
function chargeOf(
  state: PaymentsState,
  { charge, payment_intent }: { charge?: string | undefined; payment_intent?: string | undefined },
): ChargeDoc {
  if (charge === undefined && payment_intent === undefined) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  }
  const id = charge ?? state.store.paymentIntents.get(payment_intent ?? '')?.latest_charge;
  const found = id ? state.store.charges.get(id) : undefined;
  if (!found)
    throw resourceMissing(
      charge ? 'charge' : 'payment_intent',
      charge ?? payment_intent ?? '',
      'charge',
      400,
    );
  return found;
}
