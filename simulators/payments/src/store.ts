import type {
  ChargeDoc,
  CustomerDoc,
  DisputeDoc,
  EventDoc,
  InvoiceDoc,
  InvoicePaymentDoc,
  PaymentIntentDoc,
  PaymentMethodDoc,
  PortalSessionDoc,
  PriceDoc,
  ProductDoc,
  RefundDoc,
  SetupIntentDoc,
  SubscriptionDoc,
} from './documents.ts';

/** Every document, by id, oldest first; and what the simulator notes beside them. */
export interface Store {
  customers: Map<string, CustomerDoc>;
  products: Map<string, ProductDoc>;
  prices: Map<string, PriceDoc>;
  subscriptions: Map<string, SubscriptionDoc>;
  invoices: Map<string, InvoiceDoc>;
  invoicePayments: Map<string, InvoicePaymentDoc>;
  paymentIntents: Map<string, PaymentIntentDoc>;
  setupIntents: Map<string, SetupIntentDoc>;
  paymentMethods: Map<string, PaymentMethodDoc>;
  charges: Map<string, ChargeDoc>;
  refunds: Map<string, RefundDoc>;
  disputes: Map<string, DisputeDoc>;
  portalSessions: Map<string, PortalSessionDoc>;
  events: Map<string, EventDoc>;
  /** Payments under way: intent id -> when they settle, in milliseconds. */
  settlements: Map<string, number>;
  /** Subscriptions whose trial_will_end was announced -> when. */
  trialReminders: Map<string, number>;
}

export type CollectionName = keyof Store;

export function createStore(): Store {
  return {
    customers: new Map(),
    products: new Map(),
    prices: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    invoicePayments: new Map(),
    paymentIntents: new Map(),
    setupIntents: new Map(),
    paymentMethods: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    portalSessions: new Map(),
    events: new Map(),
    settlements: new Map(),
    trialReminders: new Map(),
  };
}

const COLLECTION_OF_PREFIX: ReadonlyMap<string, CollectionName> = new Map<string, CollectionName>([
  ['cus', 'customers'],
  ['prod', 'products'],
  ['price', 'prices'],
  ['sub', 'subscriptions'],
  ['in', 'invoices'],
  ['inpay', 'invoicePayments'],
  ['pi', 'paymentIntents'],
  ['seti', 'setupIntents'],
  ['pm', 'paymentMethods'],
  ['ch', 'charges'],
  ['re', 'refunds'],
  ['du', 'disputes'],
]);

/** The document behind an id of any kind; undefined for anything else. */
export function documentOf(store: Store, id: string): unknown {
  const collection = COLLECTION_OF_PREFIX.get(id.slice(0, id.indexOf('_')));
  return collection === undefined ? undefined : store[collection].get(id);
}
