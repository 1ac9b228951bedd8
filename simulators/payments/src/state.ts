import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createBehavior } from './control/behavior.ts';
import { createFaults, createRequestLog } from './control/faults.ts';
import type {
  ChargeDoc,
  CouponDoc,
  CustomerDoc,
  DeletedCustomer,
  DisputeDoc,
  EventDoc,
  InvoiceDoc,
  InvoicePaymentDoc,
  PaymentIntentDoc,
  PaymentMethodDoc,
  PortalSessionDoc,
  PriceDoc,
  PromotionCodeDoc,
  RefundDoc,
  SetupIntentDoc,
  SubscriptionDoc,
} from './documents.ts';
import { createEventLog } from './event-log.ts';

export interface StoredAnswer {
  /** Method, path and parameters of the first request. */
  request: string;
  atSeconds: number;
  status: number;
  body: string;
}

/** Every document, by id, oldest first; and what the simulator notes about them. */
export type Store = ReturnType<typeof createStore>;

export function createStore() {
  return {
    customers: new Map<string, CustomerDoc | DeletedCustomer>(),
    prices: new Map<string, PriceDoc>(),
    coupons: new Map<string, CouponDoc>(),
    promotionCodes: new Map<string, PromotionCodeDoc>(),
    subscriptions: new Map<string, SubscriptionDoc>(),
    invoices: new Map<string, InvoiceDoc>(),
    invoicePayments: new Map<string, InvoicePaymentDoc>(),
    paymentIntents: new Map<string, PaymentIntentDoc>(),
    setupIntents: new Map<string, SetupIntentDoc>(),
    paymentMethods: new Map<string, PaymentMethodDoc>(),
    charges: new Map<string, ChargeDoc>(),
    refunds: new Map<string, RefundDoc>(),
    disputes: new Map<string, DisputeDoc>(),
    portalSessions: new Map<string, PortalSessionDoc>(),
    events: new Map<string, EventDoc>(),
    /** Processing payments: intent id -> when they settle, in milliseconds. */
    settlements: new Map<string, number>(),
    /** Answers of requests that carried an `Idempotency-Key`. */
    idempotency: new Map<string, StoredAnswer>(),
  };
}

/** Everything that one simulator remembers. */
export type PaymentsState = ReturnType<typeof createPaymentsState>;

export function createPaymentsState(options: {
  secretKey: string;
  publishableKey: string;
  clock: Clock;
  /** How long a payment with the processing card takes; infinite: until the control API settles it. */
  settleAfterMs: number;
  saved: { store: Store; aheadMs: number } | undefined;
}) {
  const { secretKey, publishableKey, settleAfterMs, saved } = options;
  const clock = createMovedClock(options.clock, saved?.aheadMs ?? 0);
  const store = saved?.store ?? createStore();
  return {
    secretKeys: [secretKey] as readonly string[],
    publishableKey,
    clock,
    store,
    events: createEventLog(store.events, clock),
    ...createBehavior(),
    faults: createFaults(),
    requests: createRequestLog(),
    settleAfterMs,
    /** Where browsers reach this server, for the addresses of its pages; known once it listens. */
    baseUrl: '',
  };
}

/** A clock that runs ahead of the one below by what it was moved. */
function createMovedClock(base: Clock, aheadMs: number) {
  let ahead = aheadMs;
  return {
    nowMs: () => base.nowMs() + ahead,
    nowSeconds: () => Math.floor((base.nowMs() + ahead) / 1000),
    advance: (ms: number) => {
      ahead += ms;
    },
    aheadMs: () => ahead,
  };
}
