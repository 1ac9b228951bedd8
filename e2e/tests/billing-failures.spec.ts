import type { Page } from '@playwright/test';
import { answerWith, holdAnswers, loseConnection, recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, test } from '../src/fixtures.ts';
import { CARDS, payButton, payWith, priceButton, tierOf } from '../src/payment-steps.ts';

const BEGIN = { method: 'POST', path: '/api/create-subscription' };
const CONFIRM = { method: 'POST', path: '/api/confirm-payment' };
const PRICING = { method: 'GET', path: '/api/pricing' };
const ME = { method: 'GET', path: '/api/auth/me' };
const SUBSCRIPTION = { method: 'GET', path: '/api/billing/subscription' };
const DOWN = { error: 'Payments can not be taken right now.', code: 'PAYMENTS_UNAVAILABLE' };

test('the page says that it is getting ready, until it is', async ({ page, freeUser: _ }) => {
  const prices = await holdAnswers(page, PRICING);
  const begin = await holdAnswers(page, BEGIN);
  await page.goto('/upgrade');
  await expect(page.getByText('Initializing payment...')).toBeVisible();
  await expectAccessible(page);
  prices.release();
  await expect(priceButton(page, 'Monthly')).toBeVisible();
  await expect(page.getByText('Initializing payment...')).toBeVisible();
  begin.release();
  await expect(payButton(page)).toBeVisible();
  await expect(page.getByText('Initializing payment...')).toHaveCount(0);
});

test('a subscription that can not be begun says so, with a way to try again', async ({
  page,
  freeUser: _,
}) => {
  const fault = await answerWith(page, BEGIN, 503, DOWN);
  await page.goto('/upgrade');
  await expect(page.getByRole('alert')).toContainText('Failed to initialize payment. Please try again.');
  await expect(payButton(page)).toHaveCount(0);
  await expectAccessible(page);
  await fault.end();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(payButton(page)).toBeVisible();
});

test('prices that do not load are shown as such, and can be loaded again', async ({ page, freeUser: _ }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  const fault = await answerWith(page, PRICING, 503, DOWN);
  await page.goto('/upgrade');
  await expect(page.getByRole('button', { name: 'Show payment options' })).toBeVisible();
  await expect(page.locator('.toast-card')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(logged.some((line) => line.includes('The prices could not be loaded'))).toBe(true);
  await expectAccessible(page);
  await fault.end();
  await page.getByRole('button', { name: 'Show payment options' }).click();
  await expect(payButton(page)).toBeVisible();
});

test('a script that can not be loaded says so, with a way to try again', async ({
  page,
  product,
  freeUser: _,
}) => {
  const isForeign = (url: URL) => url.origin === product.paymentsUrl;
  await page.route(isForeign, (route) => route.abort());
  await page.goto('/upgrade');
  await expect(page.getByRole('alert')).toContainText('The payment form could not be loaded.');
  await expect(page.getByRole('alert')).toContainText('Nothing has been charged.');
  await expectAccessible(page);
  await page.unroute(isForeign);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(payButton(page)).toBeVisible();
});

test('a payment that the server cannot record is never taken twice', async ({
  page,
  context,
  product,
  freeUser: _,
}) => {
  const fault = await answerWith(page, CONFIRM, 503, DOWN);
  const words =
    "Your payment was processed, but we couldn't activate your Pro tier. Please contact support or try refreshing the page.";
  await page.goto('/upgrade');
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Confirmation Failed', words);
  await expect(payButton(page)).toHaveCount(0);
  await expect(page.getByText('You don’t need to pay again.')).toBeVisible();
  await expectAccessible(page);
  await fault.end();
  await page.getByRole('button', { name: 'Check again' }).click();
  await expectToast(page, 'Payment Successful');
  await expect(page).toHaveURL('/');
  expect(await tierOf(context, product)).toBe('pro');
});

test('a network that is lost while paying is reported, and the payment can be retried', async ({
  page,
  product,
  freeUser: _,
}) => {
  await page.goto('/upgrade');
  await expect(payButton(page)).toBeVisible();
  const lost = (url: URL) => url.origin === product.paymentsUrl && url.pathname.endsWith('/confirm');
  await page.context().route(lost, (route) => route.abort('internetdisconnected'));
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Failed');
  await page.context().unroute(lost);
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful');
});

test('the tier is looked for after a second, then every half second, 20 times, and the way leads to /', async ({
  page,
  product,
  freeUser: _,
}) => {
  await page.clock.install();
  await page.goto('/upgrade');
  await expect(payButton(page)).toBeVisible();
  // Both as they are now: the tier never changes.
  for (const read of [ME, SUBSCRIPTION]) {
    const answer = await page.context().request.get(product.url + read.path);
    await answerWith(page, read, 200, await answer.json());
  }
  const looks = recordCalls(page, ME);
  await payWith(page, CARDS.good);
  await expectToast(page, 'Payment Successful');
  await pollTo(page, looks, 20);
  await expect(page).toHaveURL(`${product.url}/`);
  expect(looks).toHaveLength(20);
});

test.describe('coming back from the bank', () => {
  const BACK = '/?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_1&redirect_status=succeeded';

  test('one that the bank refused is not waited for', async ({ page, freeUser: _ }) => {
    await page.goto('/?setup_intent=seti_1&redirect_status=failed');
    await expectToast(
      page,
      'Payment Failed',
      'Your card was declined. Please try a different payment method.',
    );
    await expect(page).toHaveURL('/');
  });

  test('an unavailable server does not keep the address', async ({ page, freeUser: _ }) => {
    await loseConnection(page, BEGIN);
    await page.goto(BACK);
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { name: 'Immigration Case Status', level: 1 })).toBeVisible();
  });
});

/** Lets half seconds pass until the given number of calls were made. */
const pollTo = (page: Page, calls: readonly unknown[], count: number) =>
  expect
    .poll(
      async () => {
        await page.clock.fastForward(500);
        return calls.length;
      },
      { intervals: [50], timeout: 30_000 },
    )
    .toBe(count);
