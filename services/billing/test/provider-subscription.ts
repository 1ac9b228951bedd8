import type { ProviderInvoice, ProviderSubscription } from '../src/domain/provider.ts';

const DAY_MS = 86_400_000;

/** A monthly subscription at the provider that is paid and in the middle of its period at `nowMs`. */
export const subscriptionAt = (
  nowMs: number,
  changes: Partial<ProviderSubscription> = {},
): ProviderSubscription => ({
  id: 'sub_1',
  status: 'active',
  createdMs: nowMs - 20 * DAY_MS,
  price: { id: 'price_month', cents: 900, interval: 'month', name: 'Monthly' },
  itemId: 'si_1',
  periodStartsMs: nowMs - 20 * DAY_MS,
  periodEndsMs: nowMs + 10 * DAY_MS,
  cancelsMs: null,
  cancelsByDate: false,
  trialStartsMs: null,
  trialEndsMs: null,
  card: { brand: 'visa', last4: '4242' },
  hasPaymentMethod: true,
  cardToUse: null,
  isFirstTrial: false,
  payer: 'card fingerprint_1',
  endedFor: null,
  setup: null,
  latestInvoice: invoiceAt(nowMs),
  changePending: false,
  pause: null,
  unpaidSinceMs: null,
  paidBack: false,
  ...changes,
});

/** A paid invoice. */
export const invoiceAt = (nowMs: number, changes: Partial<ProviderInvoice> = {}): ProviderInvoice => ({
  id: 'in_1',
  status: 'paid',
  paidCents: 900,
  finalizedMs: nowMs - 20 * DAY_MS,
  clientSecret: null,
  ...changes,
});

/** A trial that still waits for its card. */
export const cardlessTrialAt = (
  nowMs: number,
  changes: Partial<ProviderSubscription> = {},
): ProviderSubscription =>
  subscriptionAt(nowMs, {
    status: 'trialing',
    card: null,
    hasPaymentMethod: false,
    setup: { id: 'seti_1', succeeded: false, clientSecret: 'seti_1_secret_1' },
    latestInvoice: null,
    trialStartsMs: nowMs,
    trialEndsMs: nowMs + 14 * DAY_MS,
    ...changes,
  });
