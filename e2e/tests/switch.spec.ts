import type { Page } from '@playwright/test';
import { test as base, expect, expectToast } from '../src/fixtures.ts';
import { authentication, CARDS, completion, payWith } from '../src/payment-steps.ts';
import { startProduct } from '../src/start-product.ts';
import { goTo } from '../src/steps.ts';

/** With a product of its own: in the others the time at Stripe may be ahead. */
const test = base.extend({
  product: [
    async ({ browserName: _none }, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const plan = (page: Page) => page.getByRole('region', { name: 'Current Plan' });

test('a switch to yearly whose bank asks: refused or left it changes nothing, authenticated it is paid once', async ({
  page,
  freeUser: _,
}) => {
  const bank = authentication(page);
  const complete = completion(page);
  const change = async () => {
    await plan(page).getByRole('button', { name: 'Switch to yearly billing' }).click();
    await page.getByRole('button', { name: 'Switch and pay $81' }).click();
  };
  await page.goto('/upgrade');
  await payWith(page, CARDS.needsDialogAlways);
  await complete.click();
  await expect(page).toHaveURL('/');
  await goTo(page, 'nav-profile');

  await change();
  await bank.getByRole('button', { name: 'Close' }).click();
  await expectToast(page, 'Not switched');
  await expect(page.locator('.toast-card')).toContainText(
    'Nothing was charged, and your monthly plan continues.',
  );
  await expect(plan(page).getByText('$9/month', { exact: true })).toBeVisible();

  await change();
  await expect(complete).toBeVisible();
  await page.reload();
  await expect(plan(page).getByText('$9/month', { exact: true })).toBeVisible();
  await expect(page.locator('.plan-invoices li')).toHaveCount(1);

  await change();
  await complete.click();
  await expectToast(page, 'Switched to yearly');
  await expect(plan(page).getByText('$90/year', { exact: true })).toBeVisible();
  await expect(page.locator('.plan-invoices li')).toHaveCount(2);
});
