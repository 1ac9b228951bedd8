import { z } from 'zod';
import { refundCharge } from '../billing/charges.ts';
import { discounted } from '../billing/discounts.ts';
import { cancelSetup, confirmIntent, publicPartOf } from '../billing/intents.ts';
import { voidInvoice } from '../billing/invoices.ts';
import {
  attachMethod,
  detachMethod,
  paymentMethodFor,
  paymentMethodFromCard,
} from '../billing/payment-methods.ts';
import { theItem } from '../billing/subscriptions.ts';
import { amountOfSwitch } from '../billing/switch-price.ts';
import { taxOn } from '../billing/taxes.ts';
import type { IntentDoc } from '../documents.ts';
import { type ApiCall, listPage, route } from '../http/api-route.ts';
import { flag, integer, noParams, page, text } from '../http/params.ts';
import { invalidRequest, resourceMissing } from '../stripe-error.ts';
import { presentCustomer, requireKnown } from './customers.ts';
import { priceOf, subscriptionWithId } from './subscriptions.ts';

const readParams = z.strictObject({ client_secret: text.optional() });
const confirmParams = z.strictObject({
  client_secret: text.optional(),
  payment_method: text.optional(),
  payment_method_data: z
    .strictObject({
      type: z.literal('card'),
      billing_details: z.strictObject({ address: z.strictObject({ postal_code: text }) }).optional(),
      card: z.strictObject({
        number: text,
        exp_month: integer,
        exp_year: integer.transform((year) => (year < 100 ? 2_000 + year : year)),
        cvc: text,
      }),
    })
    .optional(),
  return_url: z.url().optional(),
  use_stripe_sdk: z.literal('true').optional(),
});
const refundParams = z.strictObject({
  amount: integer.pipe(z.number().positive()).optional(),
  charge: text,
});

const previewParams = z.strictObject({
  customer: text,
  subscription: text,
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  subscription_details: z
    .strictObject({
      items: z.array(z.strictObject({ id: text, price: text })).length(1),
      proration_behavior: z.literal('always_invoice'),
      proration_date: integer,
    })
    .optional(),
});

export const paymentRoutes = [
  ...intentRoutes('/v1/payment_intents', ({ state: { store }, id }) => store.paymentIntents.get(id)),
  ...intentRoutes('/v1/setup_intents', ({ state: { store }, id }) => store.setupIntents.get(id)),
  route(
    'GET',
    '/v1/setup_intents',
    z.strictObject({ ...page, customer: text }),
    ({ state }, { customer, ...wanted }) => {
      requireKnown(state, customer);
      const setups = [...state.store.setupIntents.values()];
      return listPage(
        setups.filter((setup) => setup.customer === customer),
        '/v1/setup_intents',
        wanted,
      );
    },
  ),
  route('GET', '/v1/payment_methods/:id', noParams, (call) => methodOf(call)),
  route(
    'POST',
    '/v1/payment_methods/:id/attach',
    z.strictObject({ customer: text }),
    ({ state, id }, { customer }) => {
      const method = paymentMethodFor(state, id);
      attachMethod(state, method, presentCustomer(state, customer, 'customer').id);
      return method;
    },
  ),
  route('POST', '/v1/payment_methods/:id/detach', noParams, (call) => {
    const method = methodOf(call);
    if (method.customer === null)
      throw invalidRequest('The payment method you provided is not attached to a customer.');
    detachMethod(call.state, method);
    return method;
  }),
  route('POST', '/v1/setup_intents/:id/cancel', noParams, ({ state, id }) => {
    const intent = state.store.setupIntents.get(id);
    if (!intent) throw resourceMissing('intent', id, 'intent');
    cancelSetup(state, intent);
    return intent;
  }),
  route(
    'GET',
    '/v1/invoices',
    z.strictObject({ ...page, customer: text.optional(), subscription: text.optional() }),
    ({ state }, { customer, subscription, ...wanted }) => {
      requireKnown(state, customer);
      const invoices = [...state.store.invoices.values()];
      return listPage(
        invoices.filter(
          ({ customer: payer, parent }) =>
            (customer === undefined || payer === customer) &&
            (subscription === undefined || parent.subscription_details.subscription === subscription),
        ),
        '/v1/invoices',
        wanted,
      );
    },
  ),
  route('POST', '/v1/invoices/create_preview', previewParams, ({ state }, given) => {
    const subscription = subscriptionWithId(state, given.subscription);
    const change = given.subscription_details;
    const { price, current_period_end } = theItem(subscription);
    // Without a change: the next invoice.
    const amount = change
      ? amountOfSwitch(state, subscription, {
          price: priceOf(state, change.items[0]?.price ?? ''),
          atSeconds: change.proration_date,
        })
      : discounted(state, subscription, price.unit_amount, current_period_end);
    const off = change ? 0 : price.unit_amount - amount;
    const { customer, currency } = subscription;
    const isTaxed =
      given.automatic_tax?.enabled ??
      (state.behavior.previewTax === 'as-subscription' && subscription.automatic_tax?.enabled === true);
    const tax = isTaxed ? taxOn(state, subscription, amount) : 0;
    return {
      object: 'invoice',
      amount_due: amount + tax,
      automatic_tax: { enabled: isTaxed },
      total_discount_amounts: off > 0 ? [{ amount: off }] : [],
      total_taxes: [{ amount: tax, tax_behavior: 'exclusive' }],
      created: change?.proration_date ?? current_period_end,
      currency,
      customer,
      status: 'draft',
    };
  }),
  route('GET', '/v1/invoices/:id', noParams, (call) => invoiceOf(call)),
  route('POST', '/v1/invoices/:id/void', noParams, (call) => {
    const invoice = invoiceOf(call);
    if (invoice.status !== 'open') throw invalidRequest('You can only void open invoices.');
    voidInvoice(call.state, invoice);
    return invoice;
  }),
  route(
    'GET',
    '/v1/charges',
    z.strictObject({ ...page, customer: text.optional() }),
    ({ state }, { customer, ...wanted }) => {
      requireKnown(state, customer);
      const charges = [...state.store.charges.values()];
      return listPage(
        charges.filter((charge) => customer === undefined || charge.customer === customer),
        '/v1/charges',
        wanted,
      );
    },
  ),
  route('POST', '/v1/refunds', refundParams, ({ state }, { amount, charge: id }) => {
    const charge = state.store.charges.get(id);
    if (!charge) throw resourceMissing('charge', id, 'charge', 400);
    return refundCharge(state, charge, amount);
  }),
  route(
    'GET',
    '/v1/disputes',
    z.strictObject({ ...page, payment_intent: text }),
    ({ state }, { payment_intent, ...wanted }) => {
      const disputes = [...state.store.disputes.values()];
      return listPage(
        disputes.filter((dispute) => dispute.payment_intent === payment_intent),
        '/v1/disputes',
        wanted,
      );
    },
  ),
];

/** Reading and confirming, for the server and for browsers. */
function intentRoutes(path: string, find: (call: ApiCall) => IntentDoc | undefined) {
  return [
    route('GET', `${path}/:id`, readParams, (call, given) => view(call, intentOf(call, given)), 'browser'),
    route(
      'POST',
      `${path}/:id/confirm`,
      confirmParams,
      (call, given) => {
        const intent = intentOf(call, given);
        const { payment_method: name, payment_method_data: data, return_url: returnUrl } = given;
        const method =
          data === undefined
            ? paymentMethodFor(call.state, name ?? '')
            : paymentMethodFromCard(call.state, data.card);
        confirmIntent(call.state, intent, { method, returnUrl });
        return view(call, intent);
      },
      'browser',
    ),
  ];

  /** Returns the intent of the path. The browser proves with the client secret that the intent was given to it. */
  function intentOf(call: ApiCall, given: z.output<typeof readParams>): IntentDoc {
    const intent = find(call);
    if (!intent) throw resourceMissing('intent', call.id, 'intent');
    if (given.client_secret === undefined && call.fromBrowser) {
      throw invalidRequest('Missing required param: client_secret.', 'client_secret', 'parameter_missing');
    }
    if (given.client_secret !== undefined && given.client_secret !== intent.client_secret) {
      throw invalidRequest(
        'The client_secret provided does not match the client_secret associated with this intent.',
        'client_secret',
      );
    }
    return intent;
  }
}

function view({ fromBrowser }: ApiCall, intent: IntentDoc): object {
  return fromBrowser ? publicPartOf(intent) : intent;
}

function methodOf({ state, id }: ApiCall) {
  const method = state.store.paymentMethods.get(id);
  if (!method) throw resourceMissing('PaymentMethod', id, 'payment_method');
  return method;
}

function invoiceOf({ state, id }: ApiCall) {
  const invoice = state.store.invoices.get(id);
  if (!invoice) throw resourceMissing('invoice', id);
  return invoice;
}
