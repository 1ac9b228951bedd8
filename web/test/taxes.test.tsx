import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { mayBuy } from './ready-stripe.ts';
import { BILLING_CONFIG, NO_SUBSCRIPTION, PRO_USER } from './samples.ts';

function onUpgrade(api: FakeApi) {
  mayBuy(api, { tax: 'exclusive' });
  api.refuses(endpoints.createSubscription, 'ADDRESS_NEEDED', 'Tell us your country and ZIP or postal code.');
}
const begun = (amount: number, tax: number) =>
  ({
    tier: 'free',
    status: 'incomplete',
    clientSecret: `pi_${amount}_secret_1`,
    intent: 'payment',
    due: { amount, tax },
  }) as const;
const postalCode = () => page.getByLabelText('ZIP or postal code');

test('with taxes the place is asked for, then the amount is shown that will be charged', async ({ api }) => {
  onUpgrade(api);
  await showApp('/upgrade');
  await expect.element(button(/^\$9\/month plus tax/)).toBeVisible();
  await expect.element(page.getByLabelText('Country or region')).toHaveValue('US');
  await expectAccessibleEverywhere();
  await postalCode().fill('1');
  const refused = api.holds(endpoints.createSubscription);
  await button('Continue').click();
  await expect.poll(() => refused.length).toBe(1);
  expect(refused[0]?.body).toEqual({ priceId: 'price_m', address: { country: 'US', postalCode: '1' } });
  refused[0]?.refuse('ADDRESS_NEEDED', 'We could not find this place.');
  await expect.element(page.getByText('We could not find this place.')).toBeVisible();
  await expect.element(postalCode()).toHaveFocus();
  await expect.element(postalCode()).toHaveValue('1');

  await postalCode().fill('10001');
  api.answers(endpoints.createSubscription, begun(9.72, 0.72));
  await button('Continue').click();
  await expect.element(button('Subscribe to Pro - $9.72/month')).toBeVisible();
  await expect
    .element(
      page.getByText(
        '$9.72 is charged today, then every month until you cancel. This includes $0.72 of tax.',
      ),
    )
    .toBeVisible();
  await expectAccessibleEverywhere();

  await button('Change location').click();
  await expect.element(postalCode()).toHaveValue('10001');
  api.answers(endpoints.createSubscription, begun(9, 0));
  await page.getByLabelText('Country or region').selectOptions('DE');
  await button('Continue').click();
  await expect.element(button('Subscribe to Pro - $9/month')).toBeVisible();
});

test('the place is asked for in Spanish', async ({ api }) => {
  onUpgrade(api);
  await showLanguage('es');
  await showApp('/upgrade');
  await expect.element(page.getByLabelText('País o región')).toBeVisible();
  await expect.element(button(/\$9\/mes más impuestos/)).toBeVisible();
  await expectAccessibleEverywhere();
  await showLanguage('en');
});

test('prices without tax say so wherever they stand', async ({ api }) => {
  onUpgrade(api);
  api.answers(endpoints.getSubscription, { ...NO_SUBSCRIPTION, trialAvailable: false });
  const { unmount } = await showApp('/profile');
  await expect.element(page.getByText('Pro is $9/month plus tax. Cancel anytime.')).toBeVisible();
  await button('Upgrade to Pro').click();
  await expect.element(page.getByRole('dialog')).toMatchTextContent('$9/month plus tax');
  await unmount();

  signedIn(api, PRO_USER);
  api.answers(endpoints.listInvoices, []);
  api.answers(endpoints.getSubscription, {
    ...NO_SUBSCRIPTION,
    tier: 'pro',
    status: 'active',
    price: { id: 'price_m', amount: 9, interval: 'month', displayName: 'Monthly' },
    canSwitchToYearly: true,
  });
  api.answers(endpoints.previewSwitch, {
    price: { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' },
    at: '2026-12-09T12:00:00.000Z',
    dueNow: 92.34,
    nextPaymentAt: '2027-12-09T12:00:00.000Z',
    taxed: true,
  });
  const profile = await showApp('/profile');
  await button('Switch to yearly billing').click();
  await expect
    .element(page.getByRole('dialog'))
    .toMatchTextContent(/This includes tax\. The next payment of \$90 plus tax is on Dec 9, 2027\./);
  await profile.unmount();
});

test('the landing page says that tax comes on top, and says nothing where it does not', async ({ api }) => {
  api.refuses(endpoints.getMe, 'SIGNED_OUT', 'Please sign in to continue.');
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, tax: 'exclusive' });
  const pro = page.getByRole('article', { name: 'Pro' });
  const { unmount } = await showApp('/');
  await expect.element(pro.getByText('plus tax')).toBeVisible();
  await expectAccessibleEverywhere();
  await unmount();
  api.answers(endpoints.getBillingConfig, { ...BILLING_CONFIG, tax: 'inclusive' });
  await showApp('/');
  await expect.element(pro.getByText('plus tax')).not.toBeVisible();
});
