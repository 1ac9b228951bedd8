import { z } from 'zod';
import { DAY_SECONDS } from '../billing/calendar.ts';
import { cancelSubscription, hasEnded } from '../billing/cancel-subscription.ts';
import { createSubscription } from '../billing/create-subscription.ts';
import { runDueWork } from '../billing/due-work.ts';
import { liveCustomer } from '../billing/lookups.ts';
import { planOf } from '../billing/new-subscription-document.ts';
import { endOf } from '../billing/plan-end.ts';
import { theItem } from '../billing/subscription-item.ts';
import { changeAndTell } from '../change.ts';
import type { PriceDoc, SubscriptionDoc } from '../documents.ts';
import { type ApiCall, idOf, route } from '../http/api-route.ts';
import { isWithin, listPage } from '../http/list-page.ts';
import { clearable, flag, integer, metadata, pageParams, text, timeRange } from '../http/params.ts';
import type { PaymentsState } from '../payments-state.ts';
import { invalidRequest, resourceMissing } from '../stripe-error.ts';
import { mergeMetadata } from './metadata.ts';

const paymentSettings = z.strictObject({
  payment_method_types: z.array(text).optional(),
  save_default_payment_method: z.enum(['off', 'on_subscription']).optional(),
});
const createParams = z.strictObject({
  automatic_tax: z.strictObject({ enabled: z.literal('false') }).optional(),
  billing_mode: z.strictObject({ type: z.enum(['classic', 'flexible']) }).optional(),
  cancel_at_period_end: flag.optional(),
  collection_method: z.literal('charge_automatically').optional(),
  customer: text,
  default_payment_method: text.optional(),
  description: text.optional(),
  items: z
    .array(z.strictObject({ price: text, quantity: integer.pipe(z.number().min(1)).optional() }))
    .length(1),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete']).optional(),
  payment_settings: paymentSettings.optional(),
  trial_end: integer.optional(),
  trial_period_days: integer.pipe(z.number().min(1).max(730)).optional(),
  trial_settings: z
    .strictObject({
      end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']) }),
    })
    .optional(),
});
const updateParams = z.strictObject({
  cancel_at_period_end: flag.optional(),
  cancellation_details: z
    .strictObject({ comment: clearable.optional(), feedback: clearable.optional() })
    .optional(),
  default_payment_method: clearable.optional(),
  description: clearable.optional(),
  items: z
    .array(z.strictObject({ id: text, price: text }))
    .length(1)
    .optional(),
  metadata: metadata.optional(),
  payment_settings: paymentSettings.optional(),
  trial_end: z.union([z.literal('now'), integer]).optional(),
  proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
});
const cancelParams = z.strictObject({
  cancellation_details: z.strictObject({ comment: text.optional(), feedback: text.optional() }).optional(),
  invoice_now: flag.optional(),
  prorate: flag.optional(),
});
const listParams = z.strictObject({
  ...pageParams,
  created: timeRange.optional(),
  customer: text.optional(),
  price: text.optional(),
  status: z
    .enum([
      'active',
      'all',
      'canceled',
      'ended',
      'incomplete',
      'incomplete_expired',
      'past_due',
      'paused',
      'trialing',
      'unpaid',
    ])
    .optional(),
});

export const subscriptionRoutes = [
  route('POST', '/v1/subscriptions', createParams, ({ state }, given) => create(state, given)),
  route('GET', '/v1/subscriptions', listParams, ({ state }, { created, customer, price, status, ...page }) =>
    listPage(
      [...state.store.subscriptions.values()].filter(
        (each) =>
          (customer === undefined || each.customer === customer) &&
          (price === undefined || theItem(each).price.id === price) &&
          hasStatus(each, status) &&
          isWithin(each.created, created),
      ),
      '/v1/subscriptions',
      page,
    ),
  ),
  route('GET', '/v1/subscriptions/:id', z.strictObject({}), (call) => theSubscription(call)),
  route('POST', '/v1/subscriptions/:id', updateParams, (call, given) => update(call, given)),
  route('DELETE', '/v1/subscriptions/:id', cancelParams, (call, { cancellation_details: details }) => {
    const subscription = theSubscription(call);
    if (hasEnded(subscription)) throw resourceMissing('subscription', subscription.id);
    cancelSubscription(call.state, subscription, 'cancellation_requested', details);
    return subscription;
  }),
];

function create(state: PaymentsState, given: z.output<typeof createParams>): SubscriptionDoc {
  const customer = liveCustomer(state, given.customer, 'customer');
  const [item] = given.items;
  const price = activePrice(state, item?.price ?? '', 'items[0][price]');
  if (given.default_payment_method !== undefined) {
    requireOwnMethod(state, given.default_payment_method, customer.id);
  }
  if (given.trial_end !== undefined && given.trial_period_days !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: trial_end, trial_period_days.');
  }
  const now = state.clock.nowSeconds();
  if (given.trial_end !== undefined && given.trial_end <= now) {
    throw invalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.', 'trial_end');
  }
  const days = given.trial_period_days;
  return createSubscription(state, {
    customer: customer.id,
    price,
    quantity: item?.quantity ?? 1,
    metadata: mergeMetadata({}, given.metadata ?? {}),
    defaultPaymentMethod: given.default_payment_method ?? null,
    saveDefaultPaymentMethod: given.payment_settings?.save_default_payment_method ?? 'off',
    paymentMethodTypes: given.payment_settings?.payment_method_types ?? null,
    missingPaymentMethod: given.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    description: given.description ?? null,
    paymentBehavior: given.payment_behavior ?? 'allow_incomplete',
    trialEnd: given.trial_end ?? (days === undefined ? null : now + days * DAY_SECONDS),
    cancelAtPeriodEnd: given.cancel_at_period_end ?? false,
  });
}

function update(call: ApiCall, given: z.output<typeof updateParams>): SubscriptionDoc {
  const { state } = call;
  const subscription = theSubscription(call);
  const beyondEnd = Object.keys(given).some((name) => name !== 'metadata' && name !== 'cancellation_details');
  if (hasEnded(subscription) && beyondEnd) {
    throw invalidRequest(
      'A canceled subscription can only update its cancellation_details and metadata.',
      undefined,
      'invalid_canceled_subscription_fields',
    );
  }
  if (given.default_payment_method)
    requireOwnMethod(state, given.default_payment_method, subscription.customer);
  const trial = changeTrial(state, subscription, given);
  changeAndTell<SubscriptionDoc>(state, 'customer.subscription.updated', subscription, {
    ...trial,
    ...(given.cancel_at_period_end === undefined
      ? {}
      : endOf(state, subscription, given.cancel_at_period_end)),
    ...(given.default_payment_method === undefined
      ? {}
      : { default_payment_method: given.default_payment_method }),
    ...(given.description === undefined ? {} : { description: given.description }),
    ...(given.metadata === undefined
      ? {}
      : { metadata: mergeMetadata(subscription.metadata, given.metadata) }),
    ...(given.payment_settings?.save_default_payment_method === undefined
      ? {}
      : {
          payment_settings: {
            payment_method_options: null,
            payment_method_types: subscription.payment_settings?.payment_method_types ?? null,
            save_default_payment_method: given.payment_settings.save_default_payment_method,
          },
        }),
  });
  if (given.trial_end === 'now') runDueWork(state);
  return subscription;
}

/** Another price or another end of a trial: the first charge is then for that price, at that time. */
function changeTrial(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  { items, trial_end }: z.output<typeof updateParams>,
): Partial<SubscriptionDoc> {
  if (items === undefined && trial_end === undefined) return {};
  if (subscription.status !== 'trialing') {
    throw invalidRequest('The payments simulator changes items and trial_end during a trial only.');
  }
  const item = structuredClone(theItem(subscription));
  const [wanted] = items ?? [];
  if (wanted) {
    if (wanted.id !== item.id) throw resourceMissing('subscription_item', wanted.id, 'items[0][id]', 400);
    item.price = activePrice(state, wanted.price, 'items[0][price]');
    item.plan = planOf(item.price);
  }
  const now = state.clock.nowSeconds();
  const end = trial_end === 'now' ? now : (trial_end ?? item.current_period_end);
  if (end < now) {
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

function hasStatus(subscription: SubscriptionDoc, wanted: z.output<typeof listParams>['status']): boolean {
  if (wanted === 'all') return true;
  if (wanted === undefined) return subscription.status !== 'canceled';
  if (wanted === 'ended') return hasEnded(subscription);
  return subscription.status === wanted;
}

function theSubscription(call: ApiCall): SubscriptionDoc {
  const subscription = call.state.store.subscriptions.get(idOf(call));
  if (!subscription) throw resourceMissing('subscription', idOf(call));
  return subscription;
}

function activePrice(state: PaymentsState, id: string, param: string): PriceDoc {
  const price = state.store.prices.get(id);
  if (!price) throw resourceMissing('price', id, param, 400);
  if (!price.active) {
    throw invalidRequest('The price specified is inactive. This field only accepts active prices.', param);
  }
  return price;
}

function requireOwnMethod(state: PaymentsState, method: string, customer: string): void {
  if (state.store.paymentMethods.get(method)?.customer !== customer) {
    throw resourceMissing('PaymentMethod', method, 'default_payment_method', 400);
  }
}
