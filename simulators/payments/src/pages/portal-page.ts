import { hasEnded } from '../billing/cancel-subscription.ts';
import { confirmSetup } from '../billing/confirm-setup.ts';
import { collectInvoice } from '../billing/invoices.ts';
import { defaultMethodOf } from '../billing/lookups.ts';
import { newSetupIntent } from '../billing/new-intents.ts';
import { paymentMethodFromCard } from '../billing/payment-methods.ts';
import { endOf } from '../billing/plan-end.ts';
import { theItem } from '../billing/subscription-item.ts';
import { changeAndTell } from '../change.ts';
import type { PortalSessionDoc, SubscriptionDoc } from '../documents.ts';
import { type Answer, redirectAnswer } from '../http/reply.ts';
import type { PaymentsState } from '../payments-state.ts';
import { StripeError } from '../stripe-error.ts';
import { escapeHtml, type PageRequest, pageAnswer } from './html.ts';

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const day = (seconds: number) => DATE.format(seconds * 1000);

/** The customer's own page: what they pay, until when, with which card. */
export function portalPage(state: PaymentsState, session: PortalSessionDoc, fault?: string): Answer {
  const subscription = liveSubscription(state, session);
  const parts = [
    '<h1>Manage your test subscription</h1>',
    subscription ? planPart(state, subscription) : '<p>You have no subscription.</p>',
    subscription ? cardPart(fault) : '',
    session.return_url ? `<p><a href="${escapeHtml(session.return_url)}">Return to Casewatch</a></p>` : '',
  ];
  return pageAnswer({
    title: 'Manage your test subscription',
    body: parts.join('\n'),
    status: fault === undefined ? 200 : 400,
  });
}

export function changeInPortal(
  state: PaymentsState,
  session: PortalSessionDoc,
  { body }: PageRequest,
): Answer {
  const form = new URLSearchParams(body);
  const subscription = liveSubscription(state, session);
  const action = form.get('action');
  if (subscription && (action === 'cancel' || action === 'resume')) {
    const values = endOf(state, subscription, action === 'cancel');
    changeAndTell<SubscriptionDoc>(state, 'customer.subscription.updated', subscription, values);
  }
  if (subscription && action === 'card') {
    const fault = replaceCard(state, subscription, form);
    if (fault !== undefined) return portalPage(state, session, fault);
  }
  return redirectAnswer(new URL(session.url).pathname);
}

/** Saves the card as the default and tries open invoices with it. What is wrong with it, if anything is. */
function replaceCard(
  state: PaymentsState,
  subscription: SubscriptionDoc,
  form: URLSearchParams,
): string | undefined {
  const [month = '', year = ''] = (form.get('expiry') ?? '').split('/').map((part) => part.trim());
  try {
    const method = paymentMethodFromCard(state, {
      number: form.get('number') ?? '',
      exp_month: Number(month),
      exp_year: Number(year) < 100 ? 2_000 + Number(year) : Number(year),
      cvc: form.get('cvc') ?? '',
    });
    const intent = newSetupIntent({
      customer: subscription.customer,
      paymentMethod: null,
      nowSeconds: state.clock.nowSeconds(),
    });
    state.store.setupIntents.set(intent.id, intent);
    confirmSetup(state, intent, { method, returnUrl: undefined, useStripeSdk: true });
    if (intent.status !== 'succeeded') return 'This card needs an authentication: use another one here.';
    changeAndTell<SubscriptionDoc>(state, 'customer.subscription.updated', subscription, {
      default_payment_method: method.id,
    });
  } catch (error) {
    if (error instanceof StripeError) return error.body.message;
    throw error;
  }
  for (const invoice of state.store.invoices.values()) {
    const isOwn = invoice.parent?.subscription_details?.subscription === subscription.id;
    if (isOwn && invoice.status === 'open' && invoice.billing_reason !== 'subscription_create') {
      collectInvoice(state, invoice);
    }
  }
  return undefined;
}

function planPart(state: PaymentsState, subscription: SubscriptionDoc): string {
  const { price, current_period_end } = theItem(subscription);
  const amount = `$${(price.unit_amount / 100).toFixed(2)} per ${price.recurring.interval}`;
  const card = defaultMethodOf(state, subscription)?.card;
  const ends = subscription.cancel_at_period_end;
  return `<p>Casewatch Pro, ${amount}. Status: ${subscription.status.replace('_', ' ')}.</p>
<p>${ends ? 'Ends' : 'Renews'} on ${day(current_period_end)}.</p>
<p>${card ? `Card: ${card.brand} ending in ${card.last4}.` : 'There is no card.'}</p>
<form method="post"><div class="actions"><button name="action" value="${ends ? 'resume' : 'cancel'}">${
    ends ? 'Don’t cancel subscription' : 'Cancel subscription'
  }</button></div></form>`;
}

function cardPart(fault: string | undefined): string {
  return `<h2>Replace the card</h2>
<form method="post" class="fields">
<div class="wide"><label for="number">Card number</label><input id="number" name="number" inputmode="numeric" autocomplete="cc-number" required></div>
<div><label for="expiry">Expiration date (MM / YY)</label><input id="expiry" name="expiry" autocomplete="cc-exp" required></div>
<div><label for="cvc">Security code</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" required></div>
<p class="error wide" role="alert">${fault === undefined ? '' : escapeHtml(fault)}</p>
<div class="actions wide"><button class="main" name="action" value="card">Use this card</button></div>
</form>`;
}

function liveSubscription(state: PaymentsState, { customer }: PortalSessionDoc): SubscriptionDoc | undefined {
  return [...state.store.subscriptions.values()].findLast(
    (each) => each.customer === customer && !hasEnded(each) && each.status !== 'incomplete',
  );
}
