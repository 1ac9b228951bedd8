import { z } from 'zod';
import { redeem } from '../billing/discounts.ts';
import {
  cancelSubscription,
  createSubscription,
  hasEnded,
  scheduleEnd,
  theItem,
  unscheduleEnd,
} from '../billing/subscriptions.ts';
import { switchPrice } from '../billing/switch-price.ts';
import { requireTaxLocation } from '../billing/taxes.ts';
import type { PaymentPause, PriceDoc, SubscriptionDoc } from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import { listPage, route } from '../http/api-route.ts';
import { flag, integer, metadata, noParams, page, text } from '../http/params.ts';
import type { PaymentsState } from '../state.ts';
import { invalidRequest, resourceMissing } from '../stripe-error.ts';
import { presentCustomer, requireKnown, requireOwnMethod } from './customers.ts';

const createParams = z.strictObject({
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  customer: text,
  discounts: z
    .array(z.strictObject({ promotion_code: text }))
    .length(1)
    .optional(),
  items: z.array(z.strictObject({ price: text })).length(1),
  metadata: metadata.optional(),
  payment_behavior: z.literal('default_incomplete'),
  payment_settings: z.strictObject({ save_default_payment_method: z.literal('on_subscription') }),
  trial_period_days: integer.pipe(z.number().min(1).max(730)).optional(),
  trial_settings: z
    .strictObject({ end_behavior: z.strictObject({ missing_payment_method: z.literal('cancel') }) })
    .optional(),
});
const listParams = z.strictObject({
  ...page,
  customer: text.optional(),
  status: z.literal('all').optional(),
});
const updateParams = z.strictObject({
  cancel_at: z.literal('').optional(),
  cancel_at_period_end: flag.optional(),
  default_payment_method: text.optional(),
  items: z
    .array(z.strictObject({ id: text, price: text }))
    .length(1)
    .optional(),
  metadata: metadata.optional(),
  pause_collection: z
    .union([
      z.literal(''),
      z.strictObject({
        behavior: z.enum(['keep_as_draft', 'mark_uncollectible', 'void']),
        resumes_at: integer.optional(),
      }),
    ])
    .optional(),
  payment_behavior: z.literal('pending_if_incomplete').optional(),
  proration_behavior: z.enum(['none', 'always_invoice']).optional(),
  proration_date: integer.optional(),
  trial_end: integer.optional(),
});

export const subscriptionRoutes = [
  route('POST', '/v1/subscriptions', createParams, ({ state }, given) => {
    const customer = presentCustomer(state, given.customer, 'customer');
    if (given.automatic_tax?.enabled) requireTaxLocation(customer);
    return createSubscription(state, {
      customer: customer.id,
      automaticTax: given.automatic_tax?.enabled ?? false,
      price: priceOf(state, given.items[0]?.price ?? ''),
      discounts: (given.discounts ?? []).map(({ promotion_code }) => redeem(state, promotion_code)),
      metadata: given.metadata ?? {},
      trialDays: given.trial_period_days,
    });
  }),
  route('GET', '/v1/subscriptions', listParams, ({ state }, { customer, status, ...wanted }) => {
    requireKnown(state, customer);
    const subscriptions = [...state.store.subscriptions.values()].filter(
      (each) =>
        (customer === undefined || each.customer === customer) &&
        (status === 'all' || each.status !== 'canceled'),
    );
    return listPage(subscriptions, '/v1/subscriptions', wanted);
  }),
  route('POST', '/v1/subscriptions/:id', updateParams, ({ state, id }, given) =>
    update(state, subscriptionWithId(state, id), given),
  ),
  route('DELETE', '/v1/subscriptions/:id', noParams, ({ state, id }) => {
    const subscription = subscriptionWithId(state, id);
    if (hasEnded(subscription)) throw resourceMissing('subscription', id);
    cancelSubscription(state, subscription, 'cancellation_requested');
    return subscription;
  }),
];

function update(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  given: z.output<typeof updateParams>,
): SubscriptionDoc {
  if (hasEnded(subscription)) {
    throw invalidRequest(
      'A canceled subscription can only update its cancellation_details and metadata.',
      undefined,
      'invalid_canceled_subscription_fields',
    );
  }
  const { default_payment_method, cancel_at_period_end } = given;
  if (given.cancel_at !== undefined && cancel_at_period_end !== undefined)
    throw invalidRequest('Received both cancel_at_period_end and cancel_at parameters.');
  if (default_payment_method !== undefined)
    requireOwnMethod(state, subscription.customer, default_payment_method);
  const [wanted] = given.items ?? [];
  if (wanted && subscription.status === 'active') {
    if (given.proration_behavior !== 'always_invoice' || given.payment_behavior === undefined) {
      throw invalidRequest('The payments simulator makes a change of the price once it is paid only.');
    }
    if (default_payment_method !== undefined || given.metadata) {
      throw invalidRequest('A pending update takes neither a payment method nor metadata.');
    }
    const price = priceOf(state, wanted.price);
    requireItem(subscription, wanted.id);
    switchPrice(state, subscription, {
      price,
      atSeconds: given.proration_date ?? state.clock.nowSeconds(),
    });
    return subscription;
  }
  updateDocument(state, 'customer.subscription.updated', subscription, {
    ...changeOfTrial(state, subscription, given),
    ...(default_payment_method === undefined ? {} : { default_payment_method }),
    ...(given.pause_collection === undefined ? {} : { pause_collection: pauseOf(given.pause_collection) }),
    ...(given.metadata ? { metadata: { ...subscription.metadata, ...given.metadata } } : {}),
  });
  if (cancel_at_period_end) scheduleEnd(state, subscription, 'period-end');
  // The flag says nothing about an end by a date.
  const isTakenBack = cancel_at_period_end === false && subscription.cancel_at_period_end;
  if (isTakenBack || given.cancel_at !== undefined) unscheduleEnd(state, subscription);
  return subscription;
}

/** An empty text resumes the payments. */
function pauseOf(given: NonNullable<z.output<typeof updateParams>['pause_collection']>): PaymentPause | null {
  return given === '' ? null : { behavior: given.behavior, resumes_at: given.resumes_at ?? null };
}

/** Another price or another end of the trial: the first charge is then for that price, at that time. */
function changeOfTrial(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  { items, trial_end }: z.output<typeof updateParams>,
): Partial<SubscriptionDoc> {
  if (items === undefined && trial_end === undefined) return {};
  if (subscription.status !== 'trialing') {
    throw invalidRequest('The payments simulator changes items of a trial or an active subscription only.');
  }
  const item = { ...theItem(subscription) };
  const [wanted] = items ?? [];
  if (wanted) requireItem(subscription, wanted.id);
  if (wanted) item.price = priceOf(state, wanted.price);
  const end = trial_end ?? item.current_period_end;
  if (end < state.clock.nowSeconds()) {
    throw invalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.', 'trial_end');
  }
  item.current_period_end = end;
  return {
    items: { ...subscription.items, data: [item] },
    trial_end: end,
    billing_cycle_anchor: end,
    ...(subscription.cancel_at_period_end ? { cancel_at: end } : {}),
  };
}

function requireItem(subscription: SubscriptionDoc, id: string): void {
  if (id !== theItem(subscription).id) throw resourceMissing('subscription_item', id, 'items[0][id]', 400);
}

export function subscriptionWithId({ store }: PaymentsState, id: string): SubscriptionDoc {
  const subscription = store.subscriptions.get(id);
  if (!subscription) throw resourceMissing('subscription', id);
  return subscription;
}

export function priceOf({ store }: PaymentsState, id: string): PriceDoc {
  const price = store.prices.get(id);
  if (!price) throw resourceMissing('price', id, 'items[0][price]', 400);
  return price;
}
