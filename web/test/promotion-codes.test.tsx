import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, showApp, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { mayBuy } from './ready-stripe.ts';
import { BILLING_CONFIG } from './samples.ts';

const begun = (secret: string) =>
  ({ tier: 'free', status: 'incomplete', clientSecret: secret, intent: 'payment' }) as const;
const HALF = {
  ...begun('pi_2_secret_2'),
  due: { amount: 4.5 },
  promotion: { code: 'HALF', percentOff: 50, amountOff: null, duration: 'once', months: null, endsAt: null },
} as const;
const code = () => page.getByLabelText('Promotion code', { exact: true });

function onUpgrade(api: FakeApi) {
  mayBuy(api, { promotionCodes: true });
  api.answers(endpoints.createSubscription, begun('pi_1_secret_1'));
}

test('a code that is refused, or of blanks alone, changes nothing', async ({ api }) => {
  onUpgrade(api);
  await showApp('/upgrade');
  await expect.element(button('Subscribe to Pro - $9/month')).toBeVisible();
  await page.getByText('Add a promotion code').click();
  await code().fill('  ');
  await button('Apply code').click();
  await expect.poll(() => (code().element() as HTMLInputElement).validity.valueMissing).toBe(true);
  await code().fill('NOSUCH');
  const calls = api.holds(endpoints.createSubscription);
  await button('Apply code').click();
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]?.body).toEqual({ priceId: 'price_m', promotionCode: 'NOSUCH' });
  calls[0]?.refuse('PROMOTION_REFUSED', 'This code is not valid, or no longer valid.');
  await expect.element(code()).toHaveAccessibleDescription('This code is not valid, or no longer valid.');
  await expect.element(code()).toHaveValue('NOSUCH');
  await expect.element(code()).toHaveFocus();
  await expect.poll(() => calls.length).toBe(2);
  expect(calls[1]?.body).toEqual({ priceId: 'price_m' });
  calls[1]?.answer(begun('pi_1_secret_1'));
  await expect.element(button('Subscribe to Pro - $9/month')).toBeVisible();
  await expectAccessibleEverywhere();
});

test('a code that is taken shows what is charged, and keeps the focus at its place, until it is removed', async ({
  api,
}) => {
  onUpgrade(api);
  await showApp('/upgrade');
  await page.getByText('Add a promotion code').click();
  api.answers(endpoints.createSubscription, HALF);
  await code().fill('half');
  await button('Apply code').click();
  await expect.element(page.getByText('HALF: 50% off the first payment.')).toBeVisible();
  await expect
    .element(page.getByText('HALF: 50% off the first payment.').element().parentElement)
    .toHaveFocus();
  await expect.element(button('Subscribe and pay $4.50')).toBeVisible();
  await expect
    .element(
      page.getByText('$4.50 is charged today. After the first payment you pay $9/month until you cancel.'),
    )
    .toBeVisible();
  await expectAccessibleEverywhere();

  api.answers(endpoints.createSubscription, begun('pi_3_secret_3'));
  await button('Remove code').click();
  await expect.element(button('Subscribe to Pro - $9/month')).toBeVisible();
  await expect.element(page.getByText('Add a promotion code')).toHaveFocus();
});

test('a code that Stripe refuses after all leaves a form that still takes the payment', async ({ api }) => {
  onUpgrade(api);
  await showApp('/upgrade');
  await page.getByText('Add a promotion code').click();
  await code().fill('FIRST');
  const calls = api.holds(endpoints.createSubscription);
  await button('Apply code').click();
  await expect.poll(() => calls.length).toBe(1);
  calls[0]?.refuse('PROMOTION_REFUSED', 'This code is not valid, or no longer valid.');
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.answer(begun('pi_6_secret_6'));
  await expect.poll(() => calls.length).toBe(3);
  expect(calls[2]?.body).toEqual({ priceId: 'price_m' });
  calls[2]?.answer(begun('pi_6_secret_6'));
  await expect.element(button('Subscribe to Pro - $9/month')).toBeVisible();
  await expect.element(page.getByText('This code is not valid, or no longer valid.')).toBeVisible();
  await expect.element(code()).toHaveFocus();
  await expect.element(code()).toHaveValue('FIRST');
});

test('what one price is refused for stays in the field for another one, without the refusal', async ({
  api,
}) => {
  onUpgrade(api);
  await showApp('/upgrade');
  await page.getByText('Add a promotion code').click();
  await code().fill('LARGE');
  const calls = api.holds(endpoints.createSubscription);
  await button('Apply code').click();
  await expect.poll(() => calls.length).toBe(1);
  calls[0]?.refuse('PROMOTION_REFUSED', 'This code can’t be used with this price.');
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.answer(begun('pi_1_secret_1'));
  await expect.element(page.getByText('This code can’t be used with this price.')).toBeVisible();
  await button(/Yearly/).click();
  await expect.poll(() => calls.length).toBe(3);
  calls[2]?.answer(begun('pi_7_secret_7'));
  await expect.element(button('Subscribe to Pro - $90/year')).toBeVisible();
  await expect.element(code()).toHaveValue('LARGE');
  await expect.element(page.getByText('This code can’t be used with this price.')).not.toBeInTheDocument();
});

test('another price that the code is not for goes on without it, and says why', async ({ api }) => {
  onUpgrade(api);
  await showApp('/upgrade');
  await expect.element(button('Subscribe to Pro - $9/month')).toBeVisible();
  await page.getByText('Add a promotion code').click();
  await code().fill('HALF');
  api.answers(endpoints.createSubscription, HALF);
  await button('Apply code').click();
  await expect.element(button('Subscribe and pay $4.50')).toBeVisible();
  const calls = api.holds(endpoints.createSubscription);
  await button(/Yearly/).click();
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]?.body).toEqual({ priceId: 'price_y', promotionCode: 'HALF' });
  calls[0]?.refuse('PROMOTION_REFUSED', 'This code can’t be used with this price.');
  await expect.poll(() => calls.length).toBe(2);
  expect(calls[1]?.body).toEqual({ priceId: 'price_y' });
  calls[1]?.answer(begun('pi_4_secret_4'));
  await expect.element(button('Subscribe to Pro - $90/year')).toBeVisible();
  await expect.element(page.getByText('This code can’t be used with this price.')).toBeVisible();
});

test('a place that is given while its code is refused is not lost', async ({ api }) => {
  onUpgrade(api);
  api.answers(endpoints.getBillingConfig, {
    ...BILLING_CONFIG,
    trialDays: 0,
    tax: 'exclusive',
    promotionCodes: true,
  });
  api.answers(endpoints.createSubscription, { ...begun('pi_1_secret_1'), due: { amount: 9.72, tax: 0.72 } });
  await showApp('/upgrade');
  await page.getByText('Add a promotion code').click();
  await code().fill('HALF');
  api.answers(endpoints.createSubscription, { ...HALF, due: { amount: 4.86, tax: 0.36 } });
  await button('Apply code').click();
  await expect.element(button('Subscribe and pay $4.86')).toBeVisible();
  await button('Change location').click();
  await page.getByLabelText('ZIP or postal code').fill('80331');
  await page.getByLabelText('Country or region').selectOptions('DE');
  const calls = api.holds(endpoints.createSubscription);
  await button('Continue').click();
  await expect.poll(() => calls.length).toBe(1);
  calls[0]?.refuse('PROMOTION_REFUSED', 'This code is not valid, or no longer valid.');
  await expect.poll(() => calls.length).toBe(2);
  const address = { country: 'DE', postalCode: '80331' };
  expect(calls[1]?.body).toEqual({ priceId: 'price_m', address });
  calls[1]?.answer({ ...begun('pi_5_secret_5'), due: { amount: 9, tax: 0 } });
  await expect.element(button('Subscribe to Pro - $9/month')).toBeVisible();
});

test('in Spanish the discount of some months of a trial is named with its end', async ({ api }) => {
  onUpgrade(api);
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, tax: 'exclusive', promotionCodes: true });
  api.answers(endpoints.createSubscription, {
    ...begun('seti_1_secret_1'),
    intent: 'setup',
    due: { amount: 7.29, tax: 0.54 },
    promotion: {
      code: 'CUARTO',
      percentOff: null,
      amountOff: 2.25,
      duration: 'repeating',
      months: 3,
      endsAt: '2027-02-24T12:00:00.000Z',
    },
  });
  await showLanguage('es');
  await showApp('/upgrade');
  await expect.element(page.getByText('CUARTO: $2.25 de descuento durante 3 meses.')).toBeVisible();
  await expect
    .element(
      page.getByText(/El primer pago, de \$7\.29, .*termina el 24 feb 2027: después usted paga \$9\/mes más/),
    )
    .toBeVisible();
  await expectAccessible('promotion code of a trial in Spanish');
  await showLanguage('en');
});

test('where the operator takes no codes there is no field', async ({ api }) => {
  onUpgrade(api);
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, trialDays: 0 });
  await showApp('/upgrade');
  await expect.element(button('Subscribe to Pro - $9/month')).toBeVisible();
  await expect.element(page.getByText('Add a promotion code')).not.toBeInTheDocument();
});
