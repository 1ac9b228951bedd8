import { z } from 'zod';
import { isRedeemable } from '../billing/discounts.ts';
import { type CouponDoc, newId, type PromotionCodeDoc } from '../documents.ts';
import { listPage, route } from '../http/api-route.ts';
import { flag, integer, noParams, page, text } from '../http/params.ts';
import { resourceMissing } from '../stripe-error.ts';

const couponParams = z.strictObject({
  amount_off: integer.pipe(z.number().positive()).optional(),
  applies_to: z.strictObject({ products: z.array(text) }).optional(),
  currency: z.string().length(3).toLowerCase().optional(),
  duration: z.enum(['once', 'repeating', 'forever']).default('once'),
  duration_in_months: integer.pipe(z.number().positive()).optional(),
  percent_off: z.coerce.number().positive().max(100).optional(),
});
const codeParams = z.strictObject({
  code: z.string().regex(/^[A-Za-z0-9-]+$/),
  customer: text.optional(),
  expires_at: integer.optional(),
  max_redemptions: integer.pipe(z.number().positive()).optional(),
  promotion: z.strictObject({ type: z.literal('coupon'), coupon: text }),
  restrictions: z
    .strictObject({
      first_time_transaction: flag.optional(),
      minimum_amount: integer.optional(),
      minimum_amount_currency: text.optional(),
    })
    .optional(),
});
const listParams = z.strictObject({ ...page, active: flag.optional(), code: text.optional() });

export const promotionRoutes = [
  route('POST', '/v1/coupons', couponParams, ({ state }, given) => {
    const coupon: CouponDoc = {
      id: newId('coupon'),
      object: 'coupon',
      amount_off: given.amount_off ?? null,
      applies_to: given.applies_to ?? null,
      created: state.clock.nowSeconds(),
      currency: given.currency ?? null,
      duration: given.duration,
      duration_in_months: given.duration_in_months ?? null,
      percent_off: given.percent_off ?? null,
      valid: true,
    };
    state.store.coupons.set(coupon.id, coupon);
    return coupon;
  }),
  route('DELETE', '/v1/coupons/:id', noParams, ({ state, id }) => {
    if (!state.store.coupons.delete(id)) throw resourceMissing('coupon', id);
    return { id, object: 'coupon', deleted: true };
  }),
  route('POST', '/v1/promotion_codes', codeParams, ({ state }, given) => {
    const { coupon } = given.promotion;
    if (!state.store.coupons.has(coupon)) throw resourceMissing('coupon', coupon, 'promotion[coupon]', 400);
    const code: PromotionCodeDoc = {
      id: newId('promo'),
      object: 'promotion_code',
      active: true,
      code: given.code,
      created: state.clock.nowSeconds(),
      customer: given.customer ?? null,
      expires_at: given.expires_at ?? null,
      max_redemptions: given.max_redemptions ?? null,
      promotion: given.promotion,
      restrictions: {
        first_time_transaction: given.restrictions?.first_time_transaction ?? false,
        minimum_amount: given.restrictions?.minimum_amount ?? null,
        minimum_amount_currency: given.restrictions?.minimum_amount_currency ?? null,
      },
      times_redeemed: 0,
    };
    state.store.promotionCodes.set(code.id, code);
    return code;
  }),
  route('GET', '/v1/promotion_codes', listParams, ({ state }, { active, code, ...wanted }) => {
    const codes = [...state.store.promotionCodes.values()]
      .filter((each) => code === undefined || each.code.toLowerCase() === code.toLowerCase())
      .map((each) => ({ ...each, active: isRedeemable(state, each) }))
      .filter((each) => active === undefined || each.active === active);
    return listPage(codes, '/v1/promotion_codes', wanted);
  }),
];
