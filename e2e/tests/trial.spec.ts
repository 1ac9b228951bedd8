import type { Page } from '@playwright/test';
import { test as base, expect, expectAccessible, expectToast, newPerson } from '../src/fixtures.ts';
import { authentication, CARDS, completion, payButton, payWith, tierOf } from '../src/payment-steps.ts';
import { post } from '../src/post.ts';
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
  context,
  product,
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
  await payWith(page, CARDS.needsDialog);
  await authentication(page).getByRole('button', { name: 'Close' }).click();
  await expectToast(page, 'Payment Failed');
  // Left half way: no trial has begun.
  await payButton(page).click();
  await expect(completion(page)).toBeVisible();
  await page.reload();
  await expect(payButton(page)).toHaveText('Start 14-day free trial');
  expect(await tierOf(context, product)).toBe('free');
  await payWith(page, CARDS.needsDialog);
  await completion(page).click();
  await expectToast(page, 'Trial started');
  await expect(page.getByRole('heading', { name: 'Immigration Case Status', level: 1 })).toBeVisible();
  await goTo(page, 'nav-profile');
  await expect(plan(page)).toContainText(new RegExp(`Free trial until\\s*${firstPayment}`));
  await expect(plan(page)).toContainText(new RegExp(`First payment\\s*${firstPayment}`));
  await expectAccessible(page);
});

test('a card that has had a trial begins none: the price of today is asked for, and nothing is paid before', async ({
  page,
  product,
  freeUser: _,
}) => {
  await page.goto('/upgrade');
  await expect(payButton(page)).toHaveText('Start 14-day free trial');
  // As by another account before.
  const other = await page.context().browser()?.newContext({ baseURL: product.url });
  if (!other) throw new Error('there is no browser');
  const otherPage = await other.newPage();
  await post(other.request, '/api/auth/signup', newPerson());
  await otherPage.goto('/upgrade');
  await payWith(otherPage, CARDS.another);
  await expectToast(otherPage, 'Trial started');
  await other.close();

  await payWith(page, CARDS.another);
  await expectToast(page, 'No free trial');
  await expect(page.getByText('Nothing was charged.').first()).toBeVisible();
  await expect(payButton(page)).toHaveText('Subscribe to Pro - $9/month');
  await expect(page.getByText('You can’t get a free trial')).toBeVisible();
  await expectAccessible(page);
  await payWith(page, CARDS.another);
  await expectToast(page, 'Payment Successful');
  await goTo(page, 'nav-profile');
  await expect(plan(page)).not.toContainText('Free trial until');
});
