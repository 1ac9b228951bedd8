import type { Entitlement } from '../src/domain/entitlement.ts';

const DAY_MS = 86_400_000;

/** A paid monthly subscription, in the middle of its period at `nowMs`. */
export const activeAt = (nowMs: number): Entitlement => ({
  subscriptionId: 'sub_1',
  status: 'active',
  tier: 'pro',
  price: { id: 'price_1', cents: 900, interval: 'month', name: 'Monthly' },
  createdMs: nowMs - 20 * DAY_MS,
  periodEndsMs: nowMs + 10 * DAY_MS,
  cancelsMs: null,
  trialEndsMs: null,
  trialReminderMs: null,
  unpaidInvoiceId: null,
  endReason: 'canceled',
  graceEndsMs: null,
  paymentFailed: false,
  awaitsCard: false,
  trialEndsPro: false,
  pause: null,
  taxed: false,
  card: null,
  trialUsed: true,
});
