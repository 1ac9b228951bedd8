import { presentCustomer } from '../api/customers.ts';
import { addSetupIntent, confirmIntent } from '../billing/intents.ts';
import { defaultMethodOf, invoicesOf } from '../billing/invoices.ts';
import { paymentMethodFromCard } from '../billing/payment-methods.ts';
import { collectInvoice, hasEnded, scheduleEnd, theItem, unscheduleEnd } from '../billing/subscriptions.ts';
import type { PaymentMethodDoc, PortalSessionDoc, SubscriptionDoc } from '../documents.ts';
import { updateDocument } from '../event-log.ts';
import { type Answer, escapeHtml, pageAnswer, redirectAnswer } from '../http/answer.ts';
import type { PaymentsState } from '../state.ts';
import { StripeError } from '../stripe-error.ts';

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const day = (seconds: number) => DATE.format(seconds * 1000);

/** Shows the customer what they pay, until when, with which card. */
export function portalPage(state: PaymentsState, session: PortalSessionDoc, error?: string): Answer {
  const subscription = liveSubscription(state, session);
  const parts = [
    '<h1>Manage your test subscription</h1>',
    subscription ? planPart(state, subscription) : '<p>You have no subscription.</p>',
    subscription ? cardPart(error) : '',
    session.return_url ? `<p><a href="${escapeHtml(session.return_url)}">Return to Casewatch</a></p>` : '',
  ];
  return pageAnswer({
    title: 'Manage your test subscription',
    body: parts.join('\n'),
    status: error === undefined ? 200 : 400,
  });
}

export function changeInPortal(state: PaymentsState, session: PortalSessionDoc, body: string): Answer {
  const form = new URLSearchParams(body);
  const subscription = liveSubscription(state, session);
  const action = form.get('action');
  if (subscription && action === 'cancel') scheduleEnd(state, subscription, 'date');
  if (subscription && action === 'resume') unscheduleEnd(state, subscription);
  if (subscription && action === 'card') return replaceCard(state, session, subscription, form);
  return redirectAnswer(new URL(session.url).pathname);
}

/** Shows the portal after the card's bank has authenticated the customer, or has refused to: its card is the default only then. */
export function returnToPortal(state: PaymentsState, session: PortalSessionDoc, intentId: string): Answer {
  const intent = state.store.setupIntents.get(intentId);
  const subscription = liveSubscription(state, session);
  const method = state.store.paymentMethods.get(intent?.payment_method ?? '');
  if (intent?.status !== 'succeeded' || !method || !subscription || intent.customer !== session.customer)
    return portalPage(state, session, 'Your bank did not confirm this card. The card of before stays.');
  makeDefault(state, subscription, method);
  return redirectAnswer(new URL(session.url).pathname);
}

/** Saves the card as the default and tries open invoices with it, once its bank has authenticated the customer where it asks for that. */
function replaceCard(
  state: PaymentsState,
  session: PortalSessionDoc,
  subscription: SubscriptionDoc,
  form: URLSearchParams,
): Answer {
  const [month = '', year = ''] = (form.get('expiry') ?? '').split('/').map((part) => part.trim());
  try {
    const method = paymentMethodFromCard(state, {
      number: form.get('number') ?? '',
      exp_month: Number(month),
      exp_year: Number(year) < 100 ? 2_000 + Number(year) : Number(year),
    });
    const intent = addSetupIntent(state, subscription.customer);
    confirmIntent(state, intent, { method, returnUrl: session.url });
    if (intent.status === 'requires_action') {
      const query = new URLSearchParams({ client_secret: intent.client_secret, return_url: session.url });
      return redirectAnswer(`${state.baseUrl}/pages/authorize?${query}`);
    }
    makeDefault(state, subscription, method);
  } catch (error) {
    if (error instanceof StripeError) return portalPage(state, session, error.body.message);
    throw error;
  }
  return redirectAnswer(new URL(session.url).pathname);
}

function makeDefault(state: PaymentsState, subscription: SubscriptionDoc, method: PaymentMethodDoc): void {
  if (state.behavior.portalCard === 'on-subscription') {
    updateDocument(state, 'customer.subscription.updated', subscription, {
      default_payment_method: method.id,
    });
  } else {
    updateDocument(state, 'customer.updated', presentCustomer(state, subscription.customer), {
      invoice_settings: { default_payment_method: method.id },
    });
  }
  for (const invoice of invoicesOf(state, subscription)) {
    if (invoice.billing_reason !== 'subscription_create') collectInvoice(state, invoice);
  }
}

function planPart(state: PaymentsState, subscription: SubscriptionDoc): string {
  const { price, current_period_end } = theItem(subscription);
  const amount = `$${(price.unit_amount / 100).toFixed(2)} per ${price.recurring.interval}`;
  const card = defaultMethodOf(state, subscription)?.card;
  const ends = subscription.cancel_at !== null;
  return `<p>Casewatch Pro, ${amount}. Status: ${subscription.status.replace('_', ' ')}.</p>
<p>${ends ? 'Ends' : 'Renews'} on ${day(current_period_end)}.</p>
<p>${card ? `Card: ${card.brand} ending in ${card.last4}.` : 'There is no card.'}</p>
<form method="post"><div class="actions"><button name="action" value="${ends ? 'resume' : 'cancel'}">${
    ends ? 'Don’t cancel subscription' : 'Cancel subscription'
  }</button></div></form>`;
}

function cardPart(error: string | undefined): string {
  return `<h2>Replace the card</h2>
<form method="post" class="fields">
<div class="wide"><label for="number">Card number</label><input id="number" name="number" inputmode="numeric" autocomplete="cc-number" required></div>
<div><label for="expiry">Expiration date (MM / YY)</label><input id="expiry" name="expiry" autocomplete="cc-exp" required></div>
<div><label for="cvc">Security code</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" required></div>
<p class="error wide" role="alert">${error === undefined ? '' : escapeHtml(error)}</p>
<div class="actions wide"><button class="main" name="action" value="card">Use this card</button></div>
</form>`;
}

function liveSubscription(state: PaymentsState, { customer }: PortalSessionDoc): SubscriptionDoc | undefined {
  return [...state.store.subscriptions.values()].findLast(
    (each) => each.customer === customer && !hasEnded(each) && each.status !== 'incomplete',
  );
}
