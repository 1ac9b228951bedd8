import type { Page } from '@playwright/test';
import { test as base, expect, expectAccessible, expectToast } from '../src/fixtures.ts';
import { CARDS, payButton, payWith } from '../src/payment-steps.ts';
import { startProduct } from '../src/start-product.ts';
import { goTo } from '../src/steps.ts';

/** With a product of its own: in the others a subscription begins with a payment. */
const test = base.extend({
  product: [
    async ({ browserName: _none }, use) => {
      const product = await startProduct({ TRIAL_DAYS: '14' });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const plan = (page: Page) => page.getByRole('region', { name: 'Current Plan' });

test('the first subscription begins with a trial of 14 days, and says when it is paid', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/profile');
  await expect(plan(page)).toContainText('Pro begins with a free trial.');
  await page.goto('/upgrade');
  await expect(payButton(page)).toHaveText('Start 14-day free trial');
  const firstPayment = new Date(Date.now() + 14 * 86_400_000).toLocaleDateString('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  });
  await expect(
    page.getByText(
      `Your 14-day free trial begins today: you pay nothing now. The first payment of $9 is taken on ${firstPayment}, then every month.`,
    ),
  ).toBeVisible();
  await expectAccessible(page);
  await payWith(page, CARDS.declined);
  await expectToast(page, 'Payment Failed');
  await payWith(page, CARDS.good);
  await expectToast(page, 'Trial started');
  await expect(page.getByRole('heading', { name: 'Immigration Case Status', level: 1 })).toBeVisible();
  await goTo(page, 'nav-profile');
  await expect(plan(page)).toContainText(new RegExp(`Free trial until\\s*${firstPayment}`));
  await expect(plan(page)).toContainText(new RegExp(`First payment\\s*${firstPayment}`));
  await expectAccessible(page);
});
