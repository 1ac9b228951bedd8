import type { Subscription } from '@casewatch/contracts/billing';
import type { Page } from '@playwright/test';
import { answerWith } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, test } from '../src/fixtures.ts';
import {
  authentication,
  CARDS,
  completion,
  control,
  fillCard,
  payWith,
  subscribeWith,
  tierOf,
} from '../src/payment-steps.ts';
import { goTo } from '../src/steps.ts';

const A_DAY = /[A-Z][a-z]{2} \d{1,2}, \d{4}/;
const SUBSCRIPTION = { method: 'GET', path: '/api/billing/subscription' };
const CANCEL = { method: 'POST', path: '/api/billing/cancel' };

const plan = (page: Page) => page.getByRole('region', { name: 'Current Plan' });
const banner = (page: Page) => page.getByRole('region', { name: 'Payment problem' });

test('a free user sees the plan, what Pro adds, and the way to it', async ({ page, freeUser: _ }) => {
  await page.goto('/profile');
  await expect(plan(page).getByText('Free', { exact: true })).toBeVisible();
  for (const words of ['Search up to 3 saved cases', 'Single case lookup', 'Basic case status information']) {
    await expect(plan(page).getByText(words, { exact: true })).toBeVisible();
  }
  await expect(plan(page)).toContainText('Pro is $9/month. Cancel anytime.');
  await expect(page.getByRole('region', { name: 'Feature comparison' }).getByRole('row')).toHaveCount(8);
  await expectAccessible(page);
  await plan(page).getByRole('button', { name: 'Upgrade to Pro' }).click();
  await expect(page.getByRole('dialog')).toContainText('is a Pro feature.');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade to Pro' }).click();
  await expect(page).toHaveURL('/upgrade');
});

test('a pro user sees what it costs and until when, cancels, and takes it back', { tag: '@phone' }, async ({
  page,
  context,
  product,
  freeUser: _,
}) => {
  await subscribeWith(page, CARDS.good);
  await goTo(page, 'nav-profile');
  await expect(plan(page).getByText('Pro', { exact: true })).toBeVisible();
  await expect(plan(page).getByText('$9/month', { exact: true })).toBeVisible();
  for (const words of [
    'Unlimited saved cases',
    'Bulk search up to 10 cases',
    'Automated status monitoring',
    'Daily, weekly, or monthly frequency',
    'Status change notifications',
    'Priority support',
  ]) {
    await expect(plan(page).getByText(words, { exact: true })).toBeVisible();
  }
  await expect(plan(page)).toContainText('contact support to manage your subscription or payment details');
  await expect(plan(page)).toContainText('Visa ending in 4242');
  await expect(plan(page)).toContainText(new RegExp(`Renews\\s*${A_DAY.source}`));
  await expect(page.getByRole('region', { name: 'Feature comparison' })).toHaveCount(0);
  await expectAccessible(page);

  await plan(page).getByRole('button', { name: 'Cancel subscription' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(new RegExp(`You keep Pro until ${A_DAY.source}\\.`));
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep Pro' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(plan(page)).toContainText('Renews');
  await plan(page).getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expectToast(page, 'Subscription canceled');
  await expect(plan(page)).toContainText(new RegExp(`Pro ends\\s*${A_DAY.source}`));
  await expect(plan(page)).not.toContainText('Renews');
  await expect(plan(page).getByRole('button', { name: 'Resume subscription' })).toBeFocused();
  expect(await tierOf(context, product)).toBe('pro');
  await expectAccessible(page);

  await page.reload();
  await plan(page).getByRole('button', { name: 'Resume subscription' }).click();
  await expectToast(page, 'Subscription resumed');
  await expect(plan(page)).toContainText(new RegExp(`Renews\\s*${A_DAY.source}`));
  await expect(plan(page).getByRole('button', { name: 'Cancel subscription' })).toBeFocused();
});

test('a cancellation that fails says so and changes nothing', async ({ page, freeUser: _ }) => {
  await subscribeWith(page, CARDS.good);
  await goTo(page, 'nav-profile');
  await answerWith(page, CANCEL, 500, {});
  await plan(page).getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
  await expectToast(page, 'Error', 'Failed to cancel the subscription. Please try again.');
  await expect(plan(page)).toContainText('Renews');
});

test("card and invoices are on the provider's page", async ({ page, product, freeUser: _ }) => {
  await subscribeWith(page, CARDS.good);
  await goTo(page, 'nav-profile');
  await plan(page).getByRole('button', { name: 'Update payment method and see invoices' }).click();
  await page.waitForURL((url) => url.origin === product.paymentsUrl);
});

test('a renewal that fails is shown over every screen, with what to do, until it is dismissed or paid', async ({
  page,
  context,
  product,
  freeUser: _,
}) => {
  await subscribeWith(page, CARDS.renewalDeclined);
  await control(product, '/clock', { advanceDays: 32 });
  await expect
    .poll(async () => (await subscriptionOf(page, product.url)).paymentFailed, { timeout: 20_000 })
    .toBe(true);
  expect(await tierOf(context, product)).toBe('pro');
  for (const path of ['/', '/saved-cases', '/profile']) {
    await page.goto(path);
    await expect(banner(page)).toContainText(
      new RegExp(
        `Your last payment failed\\. Update your payment method before ${A_DAY.source} to keep Pro\\.`,
      ),
    );
  }
  await expect(plan(page)).toContainText('Your last payment failed.');
  await expectAccessible(page);
  await banner(page).getByRole('button', { name: 'Close the notice' }).click();
  await expect(banner(page)).toHaveCount(0);
  await page.reload();
  await expect(plan(page)).toContainText('Your last payment failed.');
  await expect(banner(page)).toHaveCount(0);
  const another = await context.newPage();
  await another.goto('/');
  await expect(banner(another)).toBeVisible();

  await page.goto('/upgrade');
  await expect(page.getByText('Your last payment failed. Pay it here')).toBeVisible();
  await expect(page.getByText('This pays your open invoice of $9.')).toBeVisible();
  await expectAccessible(page);

  await payOverdue(page, product.url);
});

test('a renewal whose bank asks is unpaid while that is refused or left, and paid once it is authenticated', async ({
  page,
  product,
  freeUser: _,
}) => {
  await page.goto('/upgrade');
  await payWith(page, CARDS.needsDialogAlways);
  await completion(page).click();
  await expect(page).toHaveURL('/');
  await control(product, '/clock', { advanceDays: 32 });
  await expect
    .poll(async () => (await subscriptionOf(page, product.url)).paymentFailed, { timeout: 20_000 })
    .toBe(true);
  await page.goto('/profile');
  await expect(plan(page)).toContainText('Your last payment failed.');
  await expect(plan(page)).toContainText('Visa ending in 3184');
  await page.goto('/upgrade');
  await payOverdue(page, product.url);
  await goTo(page, 'nav-profile');
  await expect(plan(page)).not.toContainText('Your last payment failed.');
  await expect(plan(page)).toContainText(new RegExp(`Renews\\s*${A_DAY.source}`));
});

test("a card whose bank asks in the provider's portal is charged only once that is authenticated", async ({
  page,
  product,
  proUser: _,
}) => {
  const changeCard = async () => {
    await plan(page).getByRole('button', { name: 'Update payment method and see invoices' }).click();
    await page.waitForURL((url) => url.origin === product.paymentsUrl);
    await page.getByLabel('Card number').fill(CARDS.needsDialog);
    await page.getByLabel('Expiration date').fill('12 / 40');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: 'Use this card' }).click();
    await expect(page.getByRole('button', { name: 'Authorize test payment' })).toBeVisible();
  };
  await page.goto('/profile');
  await changeCard();
  await page.getByRole('button', { name: 'Fail test payment' }).click();
  await expect(page.getByRole('alert')).toContainText('Your bank did not confirm this card.');
  await page.getByRole('link', { name: 'Return to Casewatch' }).click();
  await expect(plan(page)).toContainText('Visa ending in 4242');

  await changeCard();
  await page.goto('/profile');
  await expect(plan(page)).toContainText('Visa ending in 4242');

  await changeCard();
  await page.getByRole('button', { name: 'Authorize test payment' }).click();
  await expect(page.getByText('Card: visa ending in 3155.')).toBeVisible();
  await expect.poll(async () => (await subscriptionOf(page, product.url)).card?.last4).toBe('3155');
  await page.getByRole('link', { name: 'Return to Casewatch' }).click();
  await expect(plan(page)).toContainText('Visa ending in 3155');
  await expect(plan(page)).toContainText(new RegExp(`Renews\\s*${A_DAY.source}`));
});

test('the banner leads to the page where the card is changed', async ({ page, product, freeUser: _ }) => {
  await subscribeWith(page, CARDS.good);
  const subscription = await subscriptionOf(page, product.url);
  await answerWith(page, SUBSCRIPTION, 200, { ...subscription, status: 'past_due', paymentFailed: true });
  await page.goto('/');
  await banner(page).getByRole('button', { name: 'Update payment method' }).click();
  await page.waitForURL((url) => url.origin === product.paymentsUrl);
});

test('a subscription that is over says so, and leaves the way back open', async ({
  page,
  context,
  product,
  freeUser: _,
}) => {
  await subscribeWith(page, CARDS.good);
  await goTo(page, 'nav-profile');
  await plan(page).getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
  await expectToast(page, 'Subscription canceled');
  await control(product, '/clock', { advanceDays: 32 });
  await expect.poll(() => tierOf(context, product), { timeout: 20_000 }).toBe('free');
  await page.reload();
  await expect(plan(page).getByText('Free', { exact: true })).toBeVisible();
  await expect(plan(page)).toContainText(
    /Your Pro subscription ended on .+ because .+\. Your saved cases are kept\./,
  );
  await expect(plan(page).getByRole('button', { name: 'Upgrade to Pro' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await expectAccessible(page);
});

/** On the upgrade screen: pays the open invoice with a card whose bank asks. Refused or left it stays open, authenticated it is paid. */
async function payOverdue(page: Page, url: string): Promise<void> {
  const pay = page.getByRole('button', { name: 'Pay $9' });
  await expect(pay).toBeVisible();
  await fillCard(page, CARDS.needsDialogAlways);
  await pay.click();
  await authentication(page).getByRole('button', { name: 'Close' }).click();
  await expectToast(page, 'Payment Failed');
  expect((await subscriptionOf(page, url)).paymentFailed).toBe(true);
  await pay.click();
  await expect(completion(page)).toBeVisible();
  await page.reload();
  await expect(pay).toBeVisible();
  expect((await subscriptionOf(page, url)).paymentFailed).toBe(true);
  await fillCard(page, CARDS.needsDialogAlways);
  await pay.click();
  await completion(page).click();
  await expectToast(page, 'Payment Successful');
  expect((await subscriptionOf(page, url)).paymentFailed).toBe(false);
}

async function subscriptionOf(page: Page, url: string): Promise<Subscription> {
  const answer = await page.context().request.get(url + SUBSCRIPTION.path);
  return answer.json();
}
