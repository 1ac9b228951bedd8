import { holdAnswers, recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, test } from '../src/fixtures.ts';
import {
  authentication,
  CARDS,
  cardForm,
  completion,
  control,
  fillCard,
  payButton,
  payWith,
  priceButton,
  subscribeWith,
  tierOf,
} from '../src/payment-steps.ts';
import { goTo, tabTo } from '../src/steps.ts';

const BEGIN = { method: 'POST', path: '/api/create-subscription' };
const CONFIRM = { method: 'POST', path: '/api/confirm-payment' };
const WELCOME = 'Welcome to Pro! You now have access to all premium features.';

test('a free user is led to the payment, pays, and has Pro at once', {
  tag: ['@main-flow', '@phone'],
}, async ({ page, context, product, freeUser: _ }) => {
  await page.goto('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade to Pro' }).click();
  await expect(page.getByRole('heading', { name: 'Upgrade to Pro', level: 1 })).toBeVisible();
  await expect(priceButton(page, 'Monthly')).toHaveAttribute('aria-pressed', 'true');
  await expect(priceButton(page, 'Monthly')).toContainText('$9/month');
  await expect(priceButton(page, 'Yearly')).toContainText('$90/year');
  for (const words of [
    'Bulk search up to 10 cases at once',
    'Unlimited saved cases',
    'Automated daily, weekly, or monthly monitoring',
    'Instant status change notifications',
    'Priority support',
    'Cancel anytime',
  ]) {
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
  await expect(page.getByText(/Test payments: no real money is charged/)).toBeVisible();
  await expect(payButton(page)).toHaveText('Subscribe to Pro - $9/month');
  await expect(page.getByText('$9 is charged today, then every month until you cancel.')).toBeVisible();
  await expectAccessible(page);

  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful', WELCOME);
  await expect(page.getByRole('heading', { name: 'Immigration Case Status', level: 1 })).toBeVisible();
  expect(await tierOf(context, product)).toBe('pro');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  await expect(page.getByLabel('Receipt Numbers')).toBeVisible();
});

test('a declined card says so, and another one pays', async ({ page, context, product, freeUser: _ }) => {
  await page.goto('/upgrade');
  await payWith(page, CARDS.declined);
  await expectToast(page, 'Payment Failed', 'Your card was declined.');
  await expect(payButton(page)).toHaveText('Subscribe to Pro - $9/month');
  await expect(payButton(page)).toHaveAccessibleDescription(/Your card was declined\./);
  await expectAccessible(page);
  expect(await tierOf(context, product)).toBe('free');
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful', WELCOME);
  await expect(page).toHaveURL('/');
  expect(await tierOf(context, product)).toBe('pro');
});

test('while a payment is in progress the button says so, and pressing it again or another price does nothing', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/upgrade');
  await expect(payButton(page)).toBeVisible();
  await fillCard(page, CARDS.good);
  const confirmed = recordCalls(page, CONFIRM);
  const held = await holdAnswers(page, CONFIRM);
  await payButton(page).dblclick();
  await expect(payButton(page)).toHaveText('Processing...');
  await expect(payButton(page)).toBeFocused();
  await payButton(page).press('Enter');
  await expect(priceButton(page, 'Yearly')).toBeDisabled();
  await expect.poll(() => confirmed.length).toBe(1);
  held.release();
  await expectToast(page, 'Payment Successful');
  await expect(page).toHaveURL('/');
  expect(confirmed).toHaveLength(1);
});

test('the bank authenticates the payer: refused or left nothing is paid, completed it pays once', async ({
  page,
  context,
  product,
  freeUser: _,
}) => {
  await page.goto('/upgrade');
  await payWith(page, CARDS.needsDialog);
  await authentication(page).getByRole('button', { name: 'Close' }).click();
  await expectToast(page, 'Payment Failed');
  await expect(payButton(page)).toHaveText('Subscribe to Pro - $9/month');
  expect(await tierOf(context, product)).toBe('free');
  await expect(cardForm(page).getByLabel('Card number')).toHaveValue('4000 0025 0000 3155');

  await payButton(page).click();
  await expect(completion(page)).toBeVisible();
  await page.reload();
  await expect(payButton(page)).toHaveText('Subscribe to Pro - $9/month');
  expect(await tierOf(context, product)).toBe('free');

  await payWith(page, CARDS.needsDialog);
  await completion(page).click();
  await expectToast(page, 'Payment Successful', WELCOME);
  await expect(page).toHaveURL('/');
  expect(await tierOf(context, product)).toBe('pro');
});

test('a payment that is decided later is waited for', async ({ page, context, product, freeUser: _ }) => {
  await page.goto('/upgrade');
  const confirming = page.waitForRequest((request) => request.url().endsWith(CONFIRM.path));
  await payWith(page, CARDS.processing);
  await expectToast(page, 'Payment Processing', 'Your payment is being processed. Please wait...');
  await expect(payButton(page)).toBeHidden();
  await expectAccessible(page);
  const { paymentIntentId } = (await confirming).postDataJSON();
  expect(await tierOf(context, product)).toBe('free');
  await control(product, `/payments/${paymentIntentId}/settle`, { outcome: 'succeeded' });
  await expectToast(page, 'Payment Successful', WELCOME);
  await expect(page).toHaveURL('/');
  expect(await tierOf(context, product)).toBe('pro');
});

test('a payment that fails later can be tried again', async ({ page, product, freeUser: _ }) => {
  await page.goto('/upgrade');
  const confirming = page.waitForRequest((request) => request.url().endsWith(CONFIRM.path));
  await payWith(page, CARDS.processing);
  const { paymentIntentId } = (await confirming).postDataJSON();
  await control(product, `/payments/${paymentIntentId}/settle`, { outcome: 'failed' });
  await expectToast(page, 'Payment Failed', 'Your card was declined. Please try a different payment method.');
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful', WELCOME);
});

test("a card that leads to the bank's own page comes back to /, pro and with a clean address", async ({
  page,
  context,
  product,
  freeUser: _,
}) => {
  await page.goto('/upgrade');
  await payWith(page, CARDS.needsRedirect);
  await page.waitForURL((url) => url.origin !== product.url);
  const synced = page.waitForRequest((request) => request.url().endsWith(BEGIN.path));
  await page.getByRole('button', { name: 'Authorize test payment' }).click();
  await expectToast(page, 'Payment Successful', WELCOME);
  await expect(page).toHaveURL('/');
  expect((await synced).postDataJSON()).toEqual({});
  expect(await tierOf(context, product)).toBe('pro');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  await expect(page.getByLabel('Receipt Numbers')).toBeVisible();
});

test('a Pro user sees a notice in place of a form', async ({ page, freeUser: _ }) => {
  await subscribeWith(page, CARDS.good);
  await page.goto('/upgrade');
  await expect(page.getByRole('heading', { name: 'Already Subscribed' })).toBeVisible();
  await expect(page.getByText('You already have an active Pro subscription!')).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'See your plan' }).click();
  await expect(page).toHaveURL('/profile');
});

test('the yearly price shows its saving, and the button what is charged', async ({ page, freeUser: _ }) => {
  await page.goto('/upgrade');
  await expect(payButton(page)).toBeVisible();
  await expect(priceButton(page, 'Yearly')).toContainText('Save $18');
  await expect(priceButton(page, 'Monthly')).not.toContainText('Save');
  const began = page.waitForResponse((answer) => answer.url().endsWith(BEGIN.path));
  await priceButton(page, 'Yearly').click();
  await expect(priceButton(page, 'Yearly')).toHaveAttribute('aria-pressed', 'true');
  await began;
  await expect(payButton(page)).toHaveText('Subscribe to Pro - $90/year');
  await expect(page.getByText('$90 is charged today, then every year until you cancel.')).toBeVisible();
  await expectAccessible(page);
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful', WELCOME);
  await goTo(page, 'nav-profile');
  await expect(page.getByRole('region', { name: 'Current Plan' })).toContainText('Yearly, $90/year');
});

test('of several choices in a row the last one is charged', async ({ page, freeUser: _ }) => {
  await page.goto('/upgrade');
  await expect(payButton(page)).toBeVisible();
  const held = await holdAnswers(page, BEGIN);
  for (const name of ['Yearly', 'Monthly', 'Yearly', 'Monthly'] as const)
    await priceButton(page, name).click();
  await expect(page.getByText('Initializing payment...')).toBeVisible();
  held.release();
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful', WELCOME);
  await goTo(page, 'nav-profile');
  await expect(page.getByRole('region', { name: 'Current Plan' })).toContainText('Monthly, $9/month');
});

test('a screen that was chosen while Pro begins is shown, however slowly it loads', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/upgrade');
  const tier = await holdAnswers(page, { method: 'GET', path: '/api/auth/me' });
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful', WELCOME);
  const screen = await holdAnswers(page, { method: 'GET', path: /\/profile-page-.*\.js$/ });
  await goTo(page, 'nav-profile');
  await expect(page).toHaveURL('/profile');
  const becamePro = page.waitForResponse((answer) => answer.url().endsWith('/api/auth/me'));
  tier.release();
  await (await becamePro).finished();
  screen.release();
  await expect(page.getByRole('region', { name: 'Current Plan' })).toContainText('Monthly, $9/month');
  await expect(page).toHaveURL('/profile');
});

test('a second tab does not make a second subscription', async ({ page, context, freeUser: _ }) => {
  await page.goto('/upgrade');
  await expect(payButton(page)).toBeVisible();
  const other = await context.newPage();
  await subscribeWith(other, CARDS.good);
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful', WELCOME);
  await expect(page).toHaveURL('/');
  await page.goto('/upgrade');
  await expect(page.getByRole('heading', { name: 'Already Subscribed' })).toBeVisible();
});

test('going back leaves nothing behind, and coming again continues', async ({ page, freeUser: _ }) => {
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade to Pro' }).click();
  await expect(payButton(page)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goForward();
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful', WELCOME);
  await expect(page).toHaveURL('/');
});

test('paying needs no mouse', async ({ page, freeUser: _ }) => {
  await page.goto('/upgrade');
  await expect(payButton(page)).toBeVisible();
  await tabTo(page, priceButton(page, 'Monthly'));
  for (const [field, text] of [
    ['Card number', CARDS.good],
    ['Expiration', '1240'],
    ['Security code', '123'],
    ['ZIP code', '10001'],
  ] as const) {
    const input = cardForm(page).getByLabel(field);
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(input).toBeFocused({ timeout: 100 });
    }).toPass({ timeout: 10_000 });
    await page.keyboard.type(text);
  }
  await tabTo(page, payButton(page));
  await page.keyboard.press('Enter');
  await expectToast(page, 'Payment Successful', WELCOME);
});

test("the provider's script is loaded by the payment screen and by no other", async ({
  page,
  product,
  freeUser: _,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== product.url) foreign.push(request.url());
  });
  for (const path of ['/', '/saved-cases', '/profile']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect(foreign).toEqual([]);
  await page.goto('/upgrade');
  await expect(payButton(page)).toBeVisible();
  expect(foreign.some((url) => url.startsWith(product.paymentsUrl))).toBe(true);
});
