import type { InvoiceDoc } from '../documents.ts';
import { documentOf, type Store } from '../store.ts';
import { invalidRequest } from '../stripe-error.ts';

const DEEPEST = 4;

/**
 * A copy of the answer with the named references replaced by their documents, and the fields filled in that come
 * only when asked for. @throws StripeError for what can't be expanded.
 */
export function expand(store: Store, answer: unknown, paths: readonly string[]): unknown {
  let expanded = answer;
  for (const path of paths) {
    const parts = path.split('.');
    const inList = isRecord(answer) && Array.isArray(answer.data) && parts[0] === 'data';
    if (parts.length - (inList ? 1 : 0) > DEEPEST) {
      throw invalidRequest(`You cannot expand more than ${DEEPEST} levels of a property. Property: ${path}`);
    }
    expanded = expandPath(store, expanded, parts, path);
  }
  return expanded;
}

function expandPath(store: Store, at: unknown, [name, ...rest]: string[], path: string): unknown {
  if (name === undefined || at === null) return at;
  if (Array.isArray(at)) return at.map((each) => expandPath(store, each, [name, ...rest], path));
  if (!isRecord(at)) throw notExpandable(path);
  const value = at[name] === undefined ? includable(store, at, name, path) : at[name];
  const isLast = rest.length === 0;
  if (typeof value === 'string') {
    const document = documentOf(store, value);
    if (document === undefined) throw notExpandable(path);
    return { ...at, [name]: expandPath(store, document, rest, path) };
  }
  if (isLast && value !== null && at[name] !== undefined && !hasObject(value)) throw notExpandable(path);
  return { ...at, [name]: expandPath(store, value, rest, path) };
}

/** Fields that are left out unless asked for. */
function includable(store: Store, at: Record<string, unknown>, name: string, path: string): unknown {
  const { id } = at;
  if (at.object === 'invoice' && name === 'confirmation_secret') return confirmationSecret(store, String(id));
  if (at.object === 'invoice' && name === 'payments') {
    const payments = [...store.invoicePayments.values()].filter(({ invoice }) => invoice === id);
    return { object: 'list', data: payments, has_more: false, url: '/v1/invoice_payments' };
  }
  if (at.object === 'customer' && name === 'subscriptions') {
    const live = [...store.subscriptions.values()].filter(
      ({ customer, status }) => customer === id && status !== 'canceled' && status !== 'incomplete_expired',
    );
    const url = `/v1/customers/${id}/subscriptions`;
    return { object: 'list', data: live.reverse(), has_more: false, url };
  }
  if (at.object === 'charge' && name === 'refunds') {
    const refunds = [...store.refunds.values()].filter(({ charge }) => charge === id);
    return { object: 'list', data: refunds.reverse(), has_more: false, url: `/v1/charges/${id}/refunds` };
  }
  throw notExpandable(path);
}

/** The client secret with which a browser pays an open invoice; null when there is nothing to pay. */
function confirmationSecret(store: Store, invoice: InvoiceDoc['id']): unknown {
  const payment = [...store.invoicePayments.values()].find((each) => each.invoice === invoice);
  const intent = payment && store.paymentIntents.get(payment.payment.payment_intent);
  return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasObject(value: unknown): boolean {
  return isRecord(value) && typeof value.object === 'string';
}

function notExpandable(path: string) {
  return invalidRequest(`This property cannot be expanded (${path}).`, 'expand');
}
