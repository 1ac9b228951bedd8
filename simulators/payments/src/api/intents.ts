import { z } from 'zod';
import { confirmPayment } from '../billing/confirm-payment.ts';
import { confirmSetup } from '../billing/confirm-setup.ts';
import { liveCustomer } from '../billing/lookups.ts';
import { newPaymentIntent, newSetupIntent } from '../billing/new-intents.ts';
import type { IntentDoc, PaymentIntentDoc, SetupIntentDoc } from '../documents.ts';
import { type ApiCall, idOf, route } from '../http/api-route.ts';
import { listPage } from '../http/list-page.ts';
import { flag, integer, metadata, pageParams, text } from '../http/params.ts';
import type { PaymentsState } from '../payments-state.ts';
import { resourceMissing, StripeError } from '../stripe-error.ts';
import { confirmParams, givenMethod, requireClientSecret } from './intent-params.ts';
import { mergeMetadata } from './metadata.ts';

const lookParams = z.strictObject({ client_secret: text.optional() });
const listParams = z.strictObject({ ...pageParams, customer: text.optional() });
const cancelParams = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});
const automatic = z.strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() });
const newPayment = z.strictObject({
  amount: integer.pipe(z.number().min(50)),
  automatic_payment_methods: automatic.optional(),
  currency: z.string().length(3).toLowerCase(),
  customer: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  setup_future_usage: z.literal('off_session').optional(),
});
const newSetup = z.strictObject({
  automatic_payment_methods: automatic.optional(),
  customer: text.optional(),
  metadata: metadata.optional(),
  payment_method_types: z.array(text).optional(),
  usage: z.literal('off_session').optional(),
});

export const intentRoutes = [
  route('POST', '/v1/payment_intents', newPayment, ({ state }, given) => {
    const intent = newPaymentIntent({
      amount: given.amount,
      currency: given.currency,
      customer: customerOf(state, given.customer),
      description: given.description ?? null,
      metadata: mergeMetadata({}, given.metadata ?? {}),
      paymentMethod: null,
      setupFutureUsage: given.setup_future_usage ?? null,
      nowSeconds: state.clock.nowSeconds(),
    });
    state.store.paymentIntents.set(intent.id, intent);
    state.events.emit('payment_intent.created', intent);
    return intent;
  }),
  route('GET', '/v1/payment_intents', listParams, ({ state }, { customer, ...page }) =>
    listPage(ofCustomer(state.store.paymentIntents.values(), customer), '/v1/payment_intents', page),
  ),
  route(
    'GET',
    '/v1/payment_intents/:id',
    lookParams,
    (call, given) => look(call, thePayment(call), given),
    'browser',
  ),
  route(
    'POST',
    '/v1/payment_intents/:id/confirm',
    confirmParams,
    (call, given) => {
      const intent = thePayment(call);
      requireClientSecret(intent, given.client_secret, call.fromBrowser);
      confirmPayment(call.state, intent, {
        method: givenMethod(call.state, given),
        returnUrl: given.return_url,
        useStripeSdk: given.use_stripe_sdk ?? false,
        offSession: given.off_session ?? false,
      });
      return intent;
    },
    'browser',
  ),
  route('POST', '/v1/payment_intents/:id/cancel', cancelParams, (call, given) => {
    const intent = thePayment(call);
    cancelIntent(call.state, intent, 'payment_intent', given.cancellation_reason);
    intent.canceled_at = call.state.clock.nowSeconds();
    return intent;
  }),
  route('POST', '/v1/setup_intents', newSetup, ({ state }, given) => {
    const intent = newSetupIntent({
      customer: customerOf(state, given.customer),
      metadata: mergeMetadata({}, given.metadata ?? {}),
      paymentMethod: null,
      nowSeconds: state.clock.nowSeconds(),
    });
    state.store.setupIntents.set(intent.id, intent);
    state.events.emit('setup_intent.created', intent);
    return intent;
  }),
  route('GET', '/v1/setup_intents', listParams, ({ state }, { customer, ...page }) =>
    listPage(ofCustomer(state.store.setupIntents.values(), customer), '/v1/setup_intents', page),
  ),
  route(
    'GET',
    '/v1/setup_intents/:id',
    lookParams,
    (call, given) => look(call, theSetup(call), given),
    'browser',
  ),
  route(
    'POST',
    '/v1/setup_intents/:id/confirm',
    confirmParams,
    (call, given) => {
      const intent = theSetup(call);
      requireClientSecret(intent, given.client_secret, call.fromBrowser);
      confirmSetup(call.state, intent, {
        method: givenMethod(call.state, given),
        returnUrl: given.return_url,
        useStripeSdk: given.use_stripe_sdk ?? false,
      });
      return intent;
    },
    'browser',
  ),
  route('POST', '/v1/setup_intents/:id/cancel', cancelParams, (call, given) => {
    const intent = theSetup(call);
    cancelIntent(call.state, intent, 'setup_intent', given.cancellation_reason);
    return intent;
  }),
];

function look<T extends IntentDoc>(call: ApiCall, intent: T, given: z.output<typeof lookParams>): T {
  requireClientSecret(intent, given.client_secret, call.fromBrowser);
  return intent;
}

function cancelIntent(
  state: PaymentsState,
  intent: IntentDoc,
  kind: 'payment_intent' | 'setup_intent',
  reason: 'abandoned' | 'duplicate' | 'fraudulent' | 'requested_by_customer' | undefined,
): void {
  if (!intent.status.startsWith('requires_')) {
    throw new StripeError(400, {
      type: 'invalid_request_error',
      code: `${kind}_unexpected_state`,
      message: `You cannot cancel this intent because it has a status of ${intent.status}.`,
      [kind]: intent,
    });
  }
  intent.status = 'canceled';
  intent.next_action = null;
  if (intent.object === 'payment_intent') intent.cancellation_reason = reason ?? null;
  else intent.cancellation_reason = reason === 'fraudulent' ? null : (reason ?? null);
  state.events.emit(`${kind}.canceled`, intent);
}

function customerOf(state: PaymentsState, id: string | undefined): string | null {
  return id === undefined ? null : liveCustomer(state, id, 'customer').id;
}

function ofCustomer<T extends IntentDoc>(intents: Iterable<T>, customer: string | undefined): T[] {
  return [...intents].filter((intent) => customer === undefined || intent.customer === customer);
}

function thePayment(call: ApiCall): PaymentIntentDoc {
  const intent = call.state.store.paymentIntents.get(idOf(call));
  if (!intent) throw resourceMissing('payment_intent', idOf(call), 'intent');
  return intent;
}

function theSetup(call: ApiCall): SetupIntentDoc {
  const intent = call.state.store.setupIntents.get(idOf(call));
  if (!intent) throw resourceMissing('setupintent', idOf(call), 'intent');
  return intent;
}
