import { DISCOUNT_DURATIONS } from '@casewatch/contracts/billing';
import type Stripe from 'stripe';
import type { Provider } from '../domain/provider.ts';
import { idOf, whole } from './references.ts';
import { LIST_LIMIT, type StripeCalls } from './stripe-calls.ts';

const CURRENCY = 'usd';
/** An invoice over less is marked paid without a payment (API reference, "Invoices"; "Minimum charge amounts"). */
const MINIMUM_CENTS = 50;

/** Looks promotion codes up at Stripe. */
export function ofPromotions(stripe: Stripe, { ask }: Pick<StripeCalls, 'ask'>) {
  return {
    async findPromotion(code, { customerId, priceId, held }) {
      // Without a filter Stripe answers with the codes of others.
      if (!/^[\w-]+$/.test(code)) return 'unknown';
      const { data } = await ask(() =>
        stripe.promotionCodes.list({
          code,
          limit: LIST_LIMIT,
          expand: ['data.promotion.coupon.applies_to'],
        }),
      );
      const own = data.filter(({ customer }) => customer === null || idOf(customer) === customerId);
      const found = own.find(({ id }) => id === held) ?? own.find(({ active }) => active);
      const coupon = whole(found?.promotion.coupon ?? null);
      const duration = DISCOUNT_DURATIONS.find((known) => known === coupon?.duration);
      if (!found || !coupon || !duration) return 'unknown';
      const centsOff =
        coupon.currency === CURRENCY
          ? coupon.amount_off
          : (coupon.currency_options?.[CURRENCY]?.amount_off ?? null);
      if (centsOff === null && coupon.percent_off === null) return 'unknown';
      const price = await ask(() => stripe.prices.retrieve(priceId));
      if (!fits(found, coupon, { price, centsOff })) return 'other-price';
      return {
        id: found.id,
        code: found.code,
        percentOff: coupon.percent_off,
        centsOff,
        duration,
        months: coupon.duration_in_months,
        forFirstPurchase: found.restrictions.first_time_transaction,
      };
    },
  } satisfies Partial<Provider>;
}

/** Whether a code may be used for a price, and leaves something to pay: Stripe asks for no card where it charges nothing. */
function fits(
  { restrictions }: Stripe.PromotionCode,
  { applies_to, percent_off }: Stripe.Coupon,
  { price, centsOff }: { price: Stripe.Price; centsOff: number | null },
): boolean {
  const cents = price.unit_amount ?? 0;
  if (applies_to && !applies_to.products.includes(idOf(price.product) ?? '')) return false;
  const minimum =
    restrictions.currency_options?.[CURRENCY]?.minimum_amount ??
    (restrictions.minimum_amount_currency === CURRENCY ? restrictions.minimum_amount : null);
  if (restrictions.minimum_amount !== null && (minimum === null || cents < minimum)) return false;
  const off = percent_off === null ? (centsOff ?? 0) : Math.round((cents * percent_off) / 100);
  return cents - off >= MINIMUM_CENTS;
}
