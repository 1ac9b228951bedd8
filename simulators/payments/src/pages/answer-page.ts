import { runDueWork } from '../billing/due-work.ts';
import type { Answer } from '../http/reply.ts';
import type { PaymentsState } from '../payments-state.ts';
import { browserScript, pageAsset } from './assets.ts';
import { type PageRequest, pageAnswer } from './html.ts';
import {
  authenticatePage,
  authorizePage,
  finishAuthentication,
  finishAuthorization,
  paymentElementPage,
} from './intent-pages.ts';
import { changeInPortal, portalPage } from './portal-page.ts';

/** Where `@stripe/stripe-js` and Stripe's documentation have the script. */
const SCRIPT_PATH = /^\/(?:v3\/?|(?:v3|endive)\/stripe\.js)$/;

/** The pages for people and the scripts for their browsers. */
export function answerPage(state: PaymentsState, request: PageRequest): Answer {
  const { method, path } = request;
  if (method !== 'GET' && method !== 'POST') return notFound();
  const isGet = method === 'GET';
  if (isGet && SCRIPT_PATH.test(path)) return browserScript();
  if (!path.startsWith('/pages/')) return notFound();
  runDueWork(state);
  const [name = '', rest] = path.slice('/pages/'.length).split('/');
  switch (name) {
    case 'assets':
      return (isGet && pageAsset(rest ?? '')) || notFound();
    case 'payment-element':
      return isGet ? paymentElementPage() : notFound();
    case 'authenticate':
      return isGet ? authenticatePage(state, request) : finishAuthentication(state, request);
    case 'authorize':
      return isGet ? authorizePage(state, request) : finishAuthorization(state, request);
    case 'portal': {
      const session = [...state.store.portalSessions.values()].find(({ url }) => url.endsWith(path));
      if (!session || !rest) return notFound();
      return isGet ? portalPage(state, session) : changeInPortal(state, session, request);
    }
    default:
      return notFound();
  }
}

function notFound(): Answer {
  return pageAnswer({ title: 'Not found', body: '<h1>Not found</h1>', status: 404 });
}
