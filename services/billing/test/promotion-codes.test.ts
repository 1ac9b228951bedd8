import type { Invoice } from '@casewatch/contracts/billing';
import type { SwitchPreview } from '@casewatch/contracts/switch-plan';
import { forThisFile } from '@casewatch/testing/for-this-file';
import type { Person } from '@casewatch/testing/test-service';
import { describe, expect, test } from 'vitest';
import {
  errorOf,
  intentOf,
  MONTHLY,
  ownCard,
  person,
  startBilling,
  until,
  YEARLY,
} from './billing-fixture.ts';
import { CODE_SWITCHES, usualWay, waysOf } from './ways-of-stripe.ts';

interface Begun {
  clientSecret?: string;
  intent: string;
  due?: { amount: number; tax?: number };
  promotion?: { endsAt: string | null };
}
type Fixture = Awaited<ReturnType<typeof startBilling>>;

const UNKNOWN = {
  status: 409,
  code: 'PROMOTION_REFUSED',
  error: 'This code is not valid, or no longer valid.',
};
const OTHER_PRICE = { ...UNKNOWN, error: 'This code can’t be used with this price.' };
const NOTHING_OFF = {
  ...UNKNOWN,
  error: 'This code takes nothing off the payment after your free trial.',
};
const HALF = { percent_off: '50', duration: 'once' };

/** What buyers and the operator do with codes. */
function codesAt(billing: Fixture) {
  const post = (as: Person, body: object) => billing.call('POST', '/api/create-subscription', as, body);
  return {
    /** Makes a code at Stripe. */
    async offer(code: string, coupon: Record<string, string>, restrictions: Record<string, string> = {}) {
      const { id } = await billing.stripe<{ id: string }>('POST', '/v1/coupons', coupon);
      const promotion = { 'promotion[type]': 'coupon', 'promotion[coupon]': id };
      await billing.stripe('POST', '/v1/promotion_codes', { code, ...promotion, ...restrictions });
    },
    post,
    begin: async (as: Person, promotionCode?: string, priceId = MONTHLY) =>
      (await (await post(as, { priceId, ...(promotionCode ? { promotionCode } : {}) })).json()) as Begun,
    refusal: async (as: Person, promotionCode: string, priceId = MONTHLY) =>
      errorOf(await post(as, { priceId, promotionCode })),
    async pay(as: Person, { clientSecret }: Begun) {
      expect((await billing.pay(clientSecret)).status).toBe(200);
      await billing.confirmPayment(as, intentOf(clientSecret));
    },
    async paid(as: Person) {
      const invoices = (await (await billing.call('GET', '/api/billing/invoices', as)).json()) as Invoice[];
      return invoices.filter(({ status }) => status === 'paid').map(({ amount }) => amount);
    },
  };
}

describe('a promotion code', async () => {
  const billing = await forThisFile(startBilling({ env: { STRIPE_PROMOTION_CODES: 'true' } }));
  const codes = codesAt(billing);

  test('takes its discount off what is charged, as it is shown before', async () => {
    await codes.offer('HALF', HALF);
    const as = person();
    const begun = await codes.begin(as, 'half');
    expect(begun).toMatchObject({
      due: { amount: 4.5 },
      promotion: {
        code: 'HALF',
        percentOff: 50,
        amountOff: null,
        duration: 'once',
        months: null,
        endsAt: null,
      },
    });
    await codes.pay(as, begun);
    expect(await codes.paid(as)).toEqual([4.5]);
    expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', status: 'active' });
  });

  test('a switch to yearly payment is charged less the discount, as its preview says', async () => {
    await codes.offer('ALWAYS', { percent_off: '50', duration: 'forever' });
    const as = person();
    await codes.pay(as, await codes.begin(as, 'ALWAYS'));
    const preview = (await (await billing.call('GET', '/api/billing/switch', as)).json()) as SwitchPreview;
    expect(preview).toMatchObject({ dueNow: 40.5, discounted: true });
    await billing.call('POST', '/api/billing/switch', as, { at: preview.at });
    await until(
      () => codes.paid(as),
      ([newest]) => newest === 40.5,
    );
  });

  test('entered, replaced or removed in another tab, it leaves no secret that pays another amount', async () => {
    await codes.offer('TAB', HALF);
    await codes.offer('DOLLARS', { amount_off: '200', currency: 'usd', duration: 'forever' });
    const as = person();
    const without = await codes.begin(as);
    expect(without.due).toBeUndefined();
    const half = await codes.begin(as, 'TAB');
    expect((await billing.pay(without.clientSecret)).status).toBe(400);
    expect(await codes.begin(as, 'TAB')).toEqual(half);
    const dollars = await codes.begin(as, 'DOLLARS');
    expect(dollars).toMatchObject({ due: { amount: 7 }, promotion: { amountOff: 2, duration: 'forever' } });
    expect((await billing.pay(half.clientSecret)).status).toBe(400);
    const removed = await codes.begin(as);
    expect(removed.promotion).toBeUndefined();
    expect((await billing.pay(dollars.clientSecret)).status).toBe(400);
    await codes.pay(as, removed);
    expect(await codes.paid(as)).toEqual([9]);
  });

  test('the only redemption of a code is still the one of what was begun with it', async () => {
    await codes.offer('SINGLE', HALF, { max_redemptions: '1' });
    const as = person();
    const begun = await codes.begin(as, 'SINGLE');
    expect(await codes.begin(as, 'SINGLE')).toEqual(begun);
    await codes.pay(as, begun);
    expect(await codes.refusal(person(), 'SINGLE')).toEqual(UNKNOWN);
  });

  test('one that is offered again in another year can be used again by who had it before', async () => {
    const expires_at = String(Math.floor(billing.clock.nowMs() / 1000) + 60);
    await codes.offer('SPRING', HALF, { expires_at });
    const as = person();
    await codes.pay(as, await codes.begin(as, 'SPRING'));
    const { id } = await billing.subscription(as);
    await billing.stripe('DELETE', `/v1/subscriptions/${id}`);
    await billing.advance(120_000);
    await codes.offer('SPRING', { percent_off: '25', duration: 'once' });
    expect(await codes.begin(as, 'SPRING')).toMatchObject({ due: { amount: 6.75 } });
  });

  test('one that can’t be used changes nothing: what was begun is still paid', async () => {
    const past = String(Math.floor(billing.clock.nowMs() / 1000) - 1);
    await codes.offer('EXPIRED', HALF, { expires_at: past });
    await codes.offer('SOMEONE', HALF, { customer: 'cus_other' });
    await codes.offer('EUROS', { amount_off: '200', currency: 'eur', duration: 'once' });
    await codes.offer('PRODUCT', { ...HALF, 'applies_to[products][0]': 'prod_other' });
    await codes.offer('ALL', { percent_off: '100', duration: 'once' });
    // Stripe takes no payment of less than 50 cents.
    await codes.offer('NEARLY', { percent_off: '95', duration: 'once' });
    await codes.offer('CENTS', { amount_off: '851', currency: 'usd', duration: 'once' });
    await codes.offer('LEAST', { amount_off: '850', currency: 'usd', duration: 'once' });
    const minimum = {
      'restrictions[minimum_amount]': '5000',
      'restrictions[minimum_amount_currency]': 'usd',
    };
    await codes.offer('LARGE', HALF, minimum);
    const as = person();
    const begun = await codes.begin(as);
    for (const code of ['NOSUCH', 'EXPIRED', 'SOMEONE', 'EUROS', 'no such'])
      expect(await codes.refusal(as, code)).toEqual(UNKNOWN);
    for (const code of ['PRODUCT', 'ALL', 'NEARLY', 'CENTS', 'LARGE'])
      expect(await codes.refusal(as, code)).toEqual(OTHER_PRICE);
    await codes.pay(as, begun);
    expect(await codes.paid(as)).toEqual([9]);
    expect(await codes.begin(person(), 'LARGE', YEARLY)).toMatchObject({ due: { amount: 45 } });
    expect(await codes.begin(person(), 'LEAST')).toMatchObject({ due: { amount: 0.5 } });
  });

  test('a failure of Stripe is not put down to the code', async () => {
    await codes.offer('FINE', HALF);
    const as = person();
    await billing.control('PUT', '/faults', {
      mode: 'server-error',
      path: '/v1/subscriptions',
      method: 'POST',
    });
    expect(await codes.refusal(as, 'FINE')).toMatchObject({ status: 503, code: 'PAYMENTS_UNAVAILABLE' });
    await billing.control('PUT', '/faults', { mode: 'none' });
    expect(await codes.begin(as, 'FINE')).toMatchObject({ due: { amount: 4.5 } });
  });

  test('one for a first purchase is refused to who has paid before', async () => {
    await codes.offer('FIRST', HALF, { 'restrictions[first_time_transaction]': 'true' });
    const as = await billing.subscriber();
    const { data } = await billing.stripe<{ data: { id: string; metadata: { user_id: string } }[] }>(
      'GET',
      '/v1/subscriptions?limit=100',
    );
    const own = data.find(({ metadata }) => metadata.user_id === as.userId);
    await billing.stripe('DELETE', `/v1/subscriptions/${own?.id}`);
    expect(await codes.refusal(as, 'FIRST')).toEqual({
      ...UNKNOWN,
      error: 'This code is for a first purchase only.',
    });
    expect(await codes.begin(person(), 'FIRST')).toMatchObject({ due: { amount: 4.5 } });
  });

  test('is not guessed: after ten wrong ones of an account no other is tried for an hour', async () => {
    await codes.offer('RIGHT', HALF);
    const as = person();
    await codes.begin(as, 'RIGHT');
    for (let nth = 0; nth < 10; nth += 1) expect((await codes.post(as, wrong(nth))).status).toBe(409);
    const limited = await codes.post(as, { priceId: MONTHLY, promotionCode: 'RIGHT' });
    expect(limited.status).toBe(429);
    expect((await codes.post(as, { priceId: MONTHLY })).status).toBe(200);
    expect((await codes.post(person(), { priceId: MONTHLY, promotionCode: 'RIGHT' })).status).toBe(200);
  });
  const wrong = (nth: number) => ({ priceId: MONTHLY, promotionCode: `WRONG${nth}` });
});

test('with a trial and taxes the first payment is shown with both', async () => {
  const env = { STRIPE_PROMOTION_CODES: 'true', STRIPE_AUTOMATIC_TAX: 'exclusive', TRIAL_DAYS: '14' };
  const billing = await startBilling({ env });
  const codes = codesAt(billing);
  await codes.offer('QUARTER', { percent_off: '25', duration: 'repeating', duration_in_months: '3' });
  const as = person();
  const address = { country: 'US', postalCode: '10001' };
  const promotionCode = 'QUARTER';
  const begun = (await (await codes.post(as, { priceId: MONTHLY, address, promotionCode })).json()) as Begun;
  expect(begun).toMatchObject({
    intent: 'setup',
    due: { amount: 7.29, tax: 0.54 },
    promotion: { percentOff: 25, duration: 'repeating', months: 3 },
  });
  // The discount counts from then, also where the trial is taken up later and has its whole length again.
  const endsAt = begun.promotion?.endsAt;
  expect(Date.parse(endsAt ?? '')).toBeGreaterThan(billing.clock.nowMs() + 80 * 86_400_000);
  await billing.advance(5 * 86_400_000);
  const later = (await (await codes.post(as, { priceId: MONTHLY, promotionCode })).json()) as Begun;
  expect(later).toMatchObject({ clientSecret: begun.clientSecret, promotion: { endsAt } });
  await billing.pay(begun.clientSecret, ownCard());
  await billing.confirmPayment(as, intentOf(begun.clientSecret));
  await billing.advance(15 * 86_400_000);
  await billing.settled();
  expect(await codes.paid(as)).toEqual([7.29]);
  await billing.stop();
});

test.each(waysOf(CODE_SWITCHES))(
  'a trial shows what its first payment takes, with a Stripe that behaves %s',
  async (_way, behavior) => {
    const env = { STRIPE_PROMOTION_CODES: 'true', TRIAL_DAYS: '14' };
    const billing = await startBilling({ env, behavior });
    const codes = codesAt(billing);
    await codes.offer('ONCE', HALF, { max_redemptions: '1' });
    const as = person();
    const isUsed = { ...usualWay(), ...behavior }.onceOverTrial === 'used';
    if (isUsed) expect(await codes.refusal(as, 'ONCE')).toEqual(NOTHING_OFF);
    const promotionCode = isUsed ? undefined : 'ONCE';
    const begun = await codes.begin(as, promotionCode);
    expect(begun.due).toEqual(isUsed ? undefined : { amount: 4.5 });
    expect(await codes.begin(as, promotionCode)).toEqual(begun);
    expect(await codes.refusal(person(), 'ONCE')).toEqual(UNKNOWN);
    await billing.pay(begun.clientSecret, ownCard());
    await billing.confirmPayment(as, intentOf(begun.clientSecret));
    await billing.advance(15 * 86_400_000);
    await billing.settled();
    expect(await codes.paid(as)).toEqual([isUsed ? 9 : 4.5]);
    await billing.stop();
  },
);

test('a discount that is over before the first payment of the trial is not promised', async () => {
  const billing = await startBilling({ env: { STRIPE_PROMOTION_CODES: 'true', TRIAL_DAYS: '60' } });
  const codes = codesAt(billing);
  await codes.offer('MONTH', { percent_off: '50', duration: 'repeating', duration_in_months: '1' });
  await codes.offer('SEASON', { percent_off: '50', duration: 'repeating', duration_in_months: '3' });
  const as = person();
  expect(await codes.refusal(as, 'MONTH')).toEqual(NOTHING_OFF);
  expect(await codes.begin(as, 'SEASON')).toMatchObject({ intent: 'setup', due: { amount: 4.5 } });
  await billing.stop();
});

test('none is taken unless the operator turns them on', async () => {
  const billing = await startBilling();
  const codes = codesAt(billing);
  await codes.offer('HALF', HALF);
  expect(await codes.refusal(person(), 'HALF')).toEqual(UNKNOWN);
  expect(await (await billing.call('GET', '/api/billing/config')).json()).toMatchObject({
    promotionCodes: false,
  });
  await billing.stop();
});
