import { knowsPlace } from '../billing/taxes.ts';
import type { PaymentsState, Store } from '../state.ts';
import { invalidRequest } from '../stripe-error.ts';

const DEEPEST = 4;

/**
 * Returns a copy of the answer with the named references replaced by their documents, and with the fields that come only
 * when requested. @throws StripeError for what cannot be expanded
 */
export function expand(state: PaymentsState, answer: unknown, paths: readonly string[]): unknown {
  let expanded = answer;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length - (parts[0] === 'data' ? 1 : 0) > DEEPEST) {
      throw invalidRequest(`You cannot expand more than ${DEEPEST} levels of a property. Property: ${path}`);
    }
    expanded = expandPath(state, expanded, parts, path);
  }
  return expanded;
}

function expandPath(state: PaymentsState, at: unknown, [name, ...rest]: string[], path: string): unknown {
  if (name === undefined || at === null) return at;
  if (Array.isArray(at)) return at.map((each) => expandPath(state, each, [name, ...rest], path));
  if (!isRecord(at)) throw notExpandable(path);
  const value = at[name] ?? requestedField(state, at, name);
  const document = typeof value === 'string' ? documentOf(state.store, value) : value;
  if (document === undefined) throw notExpandable(path);
  return { ...at, [name]: expandPath(state, document, rest, path) };
}

/** Returns a field that is left out unless requested; null for an empty reference. */
function requestedField(state: PaymentsState, at: Record<string, unknown>, name: string): unknown {
  if (at[name] === null) return null;
  if (at.object === 'customer' && name === 'tax')
    return { automatic_tax: knowsPlace(state, at) ? 'supported' : 'unrecognized_location' };
  // Of a file from before there were any.
  if (at.object === 'subscription' && name === 'discounts') return [];
  if (at.object !== 'invoice') return undefined;
  const { store } = state;
  const payments = [...store.invoicePayments.values()].filter(({ invoice }) => invoice === at.id);
  if (name === 'payments') {
    return { object: 'list', data: payments, has_more: false, url: '/v1/invoice_payments' };
  }
  if (name !== 'confirmation_secret') return undefined;
  const intent = store.paymentIntents.get(payments[0]?.payment.payment_intent ?? '');
  return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
}

function documentOf(store: Store, id: string): unknown {
  return [store.coupons, store.customers, store.invoices, store.setupIntents, store.paymentMethods]
    .map((collection): unknown => collection.get(id))
    .find((document) => document !== undefined);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function notExpandable(path: string) {
  return invalidRequest(`This property cannot be expanded (${path}).`, 'expand');
}
