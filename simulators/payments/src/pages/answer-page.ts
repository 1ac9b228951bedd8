import { readFileSync } from 'node:fs';
import { runDueWork } from '../billing/due-work.ts';
import { finishAuthentication } from '../billing/intents.ts';
import type { IntentDoc } from '../documents.ts';
import { type Answer, escapeHtml, jsonAnswer, pageAnswer, redirectAnswer } from '../http/answer.ts';
import type { PaymentsState } from '../state.ts';
import { invoicePage } from './invoice-page.ts';
import { changeInPortal, portalPage, returnToPortal } from './portal-page.ts';

interface PageRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
}

const FOLDER = new URL('../../browser/', import.meta.url);
const PAGE_FILES = ['payment-element.js', 'authenticate.js', 'pages.css'];

/** Answers with the pages for people and the scripts for their browsers. */
export function answerPage(state: PaymentsState, request: PageRequest): Answer {
  const { method, path, body } = request;
  if (method !== 'GET' && method !== 'POST') return notFound();
  const isGet = method === 'GET';
  // Where Stripe has the script that pages of the product load.
  if (isGet && path === '/v3/') return fileAnswer('stripe.js');
  if (!path.startsWith('/pages/')) return notFound();
  runDueWork(state);
  const [name = '', rest = ''] = path.slice('/pages/'.length).split('/');
  switch (name) {
    case 'assets':
      return isGet && PAGE_FILES.includes(rest) ? fileAnswer(rest) : notFound();
    case 'payment-element':
      return isGet ? paymentElementPage() : notFound();
    case 'authenticate':
      return isGet ? authenticatePage(state, request) : finishDialog(state, request);
    case 'authorize':
      return isGet ? authorizePage(state, request) : finishAuthorization(state, request);
    case 'invoice': {
      const invoice = state.store.invoices.get(rest);
      return isGet && invoice ? invoicePage(invoice) : notFound();
    }
    case 'portal': {
      const session = [...state.store.portalSessions.values()].find(({ url }) => url.endsWith(path));
      if (!session || !rest) return notFound();
      const setup = request.query.get('setup_intent');
      if (isGet && setup !== null) return returnToPortal(state, session, setup);
      return isGet ? portalPage(state, session) : changeInPortal(state, session, body);
    }
    default:
      return notFound();
  }
}

function notFound(): Answer {
  return pageAnswer({ title: 'Not found', body: '<h1>Not found</h1>', status: 404 });
}

/** May be loaded from any origin. */
function fileAnswer(name: string): Answer {
  return {
    status: 200,
    headers: {
      'Content-Type': `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      'Cache-Control': 'no-cache',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    },
    body: readFileSync(new URL(name, FOLDER), 'utf8'),
  };
}

/** The card form, shown in a frame of the product's page. */
function paymentElementPage(): Answer {
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

/** The dialog in which a bank would authenticate the customer. */
function authenticatePage(state: PaymentsState, { query }: PageRequest): Answer {
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

function finishDialog(state: PaymentsState, { body }: PageRequest): Answer {
  const form = new URLSearchParams(body);
  const intent = intentOf(state, form.get('client_secret'));
  if (!intent) return jsonAnswer(404, { error: 'There is no such payment' });
  finish(state, intent, form.get('outcome'));
  return jsonAnswer(200, { status: intent.status });
}

/** The page of another provider, to which the customer is redirected and which redirects back. */
function authorizePage(state: PaymentsState, { query }: PageRequest): Answer {
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

function finishAuthorization(state: PaymentsState, { body }: PageRequest): Answer {
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
  finishAuthentication(state, intent, given === 'succeeded' ? 'succeeded' : 'failed');
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
    body: '<h1>Not found</h1><p>This payment does not exist. Go back and try again.</p>',
    status: 404,
    framed,
  });
}
