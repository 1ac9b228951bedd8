import { finishPaymentAuthentication } from '../billing/confirm-payment.ts';
import { finishSetupAuthentication } from '../billing/confirm-setup.ts';
import type { IntentDoc } from '../documents.ts';
import { type Answer, jsonAnswer, redirectAnswer } from '../http/reply.ts';
import type { PaymentsState } from '../payments-state.ts';
import { escapeHtml, type PageRequest, pageAnswer } from './html.ts';

/** The card form, shown in a frame of the product's page. */
export function paymentElementPage(): Answer {
  const field = (name: string, label: string, attributes: string, place: string) =>
    `<div class="${place}"><label for="${name}">${label}</label>
<input id="${name}" aria-describedby="${name}-error" aria-invalid="false" ${attributes}>
<p class="error" id="${name}-error" role="alert"></p></div>`;
  const body = `<form class="fields" aria-label="Card" autocomplete="on">
${field('number', 'Card number', 'inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"', 'wide')}
${field('expiry', 'Expiration date', 'inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY"', '')}
${field('cvc', 'Security code', 'inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="4"', '')}
${field('zip', 'ZIP code', 'autocomplete="postal-code" placeholder="12345" maxlength="10"', '')}
</form>`;
  return pageAnswer({ title: 'Card details', body, script: 'payment-element.js', framed: true });
}

/** The dialog in which a bank would ask the customer who they are. */
export function authenticatePage(state: PaymentsState, { query }: PageRequest): Answer {
  if (!intentOf(state, query.get('client_secret'))) return unknownIntent(true);
  const body = `<h1>Test authentication</h1>
<p>Your bank would ask here whether it is really you. No real money moves.</p>
<div class="actions">
<button type="button" class="main" data-outcome="succeeded">Complete authentication</button>
<button type="button" data-outcome="failed">Fail authentication</button>
<button type="button" data-outcome="failed">Close</button>
</div>`;
  return pageAnswer({ title: 'Authentication', body, script: 'authenticate.js', framed: true });
}

export function finishAuthentication(state: PaymentsState, { body }: PageRequest): Answer {
  const form = new URLSearchParams(body);
  const intent = intentOf(state, form.get('client_secret'));
  if (!intent) return jsonAnswer(404, { error: 'There is no such payment' });
  finish(state, intent, form.get('outcome'));
  return jsonAnswer(200, { status: intent.status });
}

/** The page of another provider that a payment is sent to, from where it comes back. */
export function authorizePage(state: PaymentsState, { query }: PageRequest): Answer {
  const intent = intentOf(state, query.get('client_secret'));
  const returnUrl = webAddress(query.get('return_url'));
  if (!intent || !returnUrl) return unknownIntent(false);
  const hidden = (name: string, value: string) =>
    `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
  const body = `<h1>Authorize test payment</h1>
<p>A payment provider of its own would ask for your consent here. No real money moves.</p>
<form method="post" action="/pages/authorize">
${hidden('client_secret', intent.client_secret)}${hidden('return_url', returnUrl.href)}
<div class="actions">
<button class="main" name="outcome" value="succeeded">Authorize test payment</button>
<button name="outcome" value="failed">Fail test payment</button>
</div></form>`;
  return pageAnswer({ title: 'Authorize test payment', body });
}

export function finishAuthorization(state: PaymentsState, { body }: PageRequest): Answer {
  const form = new URLSearchParams(body);
  const intent = intentOf(state, form.get('client_secret'));
  const returnUrl = webAddress(form.get('return_url'));
  if (!intent || !returnUrl) return unknownIntent(false);
  finish(state, intent, form.get('outcome'));
  const kind = intent.object;
  returnUrl.searchParams.set(kind, intent.id);
  returnUrl.searchParams.set(`${kind}_client_secret`, intent.client_secret);
  returnUrl.searchParams.set('redirect_status', redirectStatus(intent));
  return redirectAnswer(returnUrl.href);
}

function redirectStatus({ status }: IntentDoc): string {
  if (status === 'succeeded') return 'succeeded';
  return status === 'processing' ? 'pending' : 'failed';
}

function finish(state: PaymentsState, intent: IntentDoc, given: string | null): void {
  const outcome = given === 'succeeded' ? 'succeeded' : 'failed';
  if (intent.object === 'payment_intent') finishPaymentAuthentication(state, intent, outcome);
  else finishSetupAuthentication(state, intent, outcome);
}

function intentOf({ store }: PaymentsState, clientSecret: string | null): IntentDoc | undefined {
  if (!clientSecret) return undefined;
  const id = clientSecret.slice(0, Math.max(0, clientSecret.indexOf('_secret_')));
  const intent = store.paymentIntents.get(id) ?? store.setupIntents.get(id);
  return intent?.client_secret === clientSecret ? intent : undefined;
}

function webAddress(text: string | null): URL | undefined {
  const url = text === null ? null : URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

function unknownIntent(framed: boolean): Answer {
  return pageAnswer({
    title: 'Not found',
    body: '<h1>Not found</h1><p>This payment is not known here. Go back and try again.</p>',
    status: 404,
    framed,
  });
}
