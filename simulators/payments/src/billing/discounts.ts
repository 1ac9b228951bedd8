import {
  type DiscountDoc,
  type InvoiceDoc,
  newId,
  type PromotionCodeDoc,
  type SubscriptionDoc,
} from '../documents.ts';
import type { PaymentsState } from '../state.ts';
import { invalidRequest, resourceMissing } from '../stripe-error.ts';

const DAY_SECONDS = 86_400;

/** Returns whether a code may be redeemed now. */
export function isRedeemable(
  { clock }: PaymentsState,
  { active, expires_at, max_redemptions, times_redeemed }: PromotionCodeDoc,
): boolean {
  if (expires_at !== null && expires_at <= clock.nowSeconds()) return false;
  return active && (max_redemptions === null || times_redeemed < max_redemptions);
}

/** Returns the discount of a code for a new subscription. @throws StripeError where it can't be redeemed */
export function redeem(state: PaymentsState, id: string): DiscountDoc {
  const code = state.store.promotionCodes.get(id);
  const coupon = state.store.coupons.get(code?.promotion.coupon ?? '');
  if (!code || !coupon) throw resourceMissing('promotion code', id, 'discounts[0][promotion_code]', 400);
  if (!isRedeemable(state, code))
    throw invalidRequest('This promotion code cannot be redeemed.', 'discounts[0][promotion_code]');
  if (state.behavior.redemption === 'when-begun') code.times_redeemed += 1;
  const start = state.clock.nowSeconds();
  const months = coupon.duration_in_months;
  return {
    id: newId('di'),
    object: 'discount',
    end: months === null ? null : start + months * 30 * DAY_SECONDS,
    promotion_code: id,
    source: { type: 'coupon', coupon: coupon.id },
    start,
  };
}

/** Counts the redemptions of a subscription whose first invoice is paid. */
export function redeemPaid({ store, behavior }: PaymentsState, invoice: InvoiceDoc): void {
  if (invoice.billing_reason !== 'subscription_create') return;
  for (const { promotion_code } of invoice.discounts ?? []) {
    const code = store.promotionCodes.get(promotion_code);
    if (code && behavior.redemption === 'when-paid') code.times_redeemed += 1;
  }
}

/** Returns an amount of the subscription less the discounts that it has at a time. */
export function discounted(
  { store, clock }: PaymentsState,
  subscription: SubscriptionDoc,
  amount: number,
  atSeconds = clock.nowSeconds(),
): number {
  return (subscription.discounts ?? []).reduce((left, { end, source }) => {
    const coupon = store.coupons.get(source.coupon);
    if (!coupon || (end !== null && end <= atSeconds)) return left;
    const off = coupon.amount_off ?? Math.round((left * (coupon.percent_off ?? 0)) / 100);
    return Math.max(0, left - off);
  }, amount);
}

/** Drops the discounts that were for one payment, once there was one. */
export function dropUsed({ store }: PaymentsState, subscription: SubscriptionDoc): void {
  subscription.discounts = (subscription.discounts ?? []).filter(
    ({ source }) => store.coupons.get(source.coupon)?.duration !== 'once',
  );
}
