import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, expectToast, newPerson, newReceiptNumber, test } from '../src/fixtures.ts';
import { actAsOldest } from '../src/oldest-browser.ts';
import { payButton } from '../src/payment-steps.ts';
import { caseCard, goTo, logOut, lookUp, lookUpSeveral, move, receiptField } from '../src/steps.ts';
import { subscribe } from '../src/subscribe.ts';

const BROWSERS = 'Browsers that work with Casewatch';

test('in the oldest browsers a person signs up, follows a case, upgrades and signs in again', {
  tag: ['@main-flow', '@phone'],
}, async ({ page, context, product }) => {
  test.setTimeout(90_000);
  await actAsOldest(context);
  const failures: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));
  const person = newPerson();
  const receiptNumber = newReceiptNumber();
  await move(product, receiptNumber, 'Case Was Received');

  await page.goto('/');
  expect(await page.evaluate(() => [typeof URL.canParse, typeof [].toSorted, 'locks' in navigator])).toEqual([
    'undefined',
    'undefined',
    false,
  ]);
  await page.getByRole('link', { name: 'Get Started Free' }).click();
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('First Name').fill(person.firstName);
  await page.getByLabel('Last Name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expectToast(page, 'Account created!');

  await lookUp(page, receiptNumber);
  await caseCard(page, receiptNumber).getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Case saved');
  await caseCard(page, receiptNumber).getByRole('link', { name: receiptNumber }).click();
  await expect(page.getByRole('heading', { name: receiptNumber, level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Status', exact: true })).toContainText('Case Was Received');

  await page.goto('/upgrade');
  await expect(payButton(page)).toBeEnabled();
  await subscribe(context.request, product);
  await page.goto('/');
  await lookUpSeveral(page, [receiptNumber, newReceiptNumber()]);
  await expect(caseCard(page, receiptNumber)).toBeVisible();

  await goTo(page, 'nav-saved-cases');
  await page.getByLabel(`Monitoring frequency of ${receiptNumber}`).selectOption('Daily');
  await expectToast(page, 'Updated');
  await page.evaluate(() => localStorage.setItem('casewatch-saved-cases-view', 'table'));
  await page.reload();
  await expect(page.getByRole('table', { name: 'Saved cases' })).toContainText(receiptNumber);
  await expectRoomForHeadings(page);

  const isChecked = async () => (await (await context.request.get('/api/watches')).json())[0]?.lastCheckedAt;
  await expect.poll(isChecked).toBeTruthy();
  await move(product, receiptNumber, 'Case Was Approved');
  expect((await context.request.get(`/api/case-status/${receiptNumber}`)).ok()).toBe(true);
  const notified = async () => (await (await context.request.get('/api/notifications')).json()).length;
  await expect.poll(notified).toBe(1);
  // Without locks there is no stream: the list behind the bell is read when the page is opened, and polled.
  await page.goto('/profile/security');
  await expect(page.getByRole('region', { name: 'Password and devices' })).toBeVisible();
  await page.getByTestId('notifications-bell').click();
  await expect(page.getByTestId('notification-item')).toContainText('Case Was Approved');
  await page.keyboard.press('Escape');

  await logOut(page);
  await page.goto('/auth');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expectToast(page, 'Welcome back!');
  await expect(receiptField(page)).toBeVisible();
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
  expect(failures).toEqual([]);
});

/** No heading of the table is wider than its column. */
async function expectRoomForHeadings(page: Page): Promise<void> {
  // Playwright's own way to look at several elements needs what the page does not have.
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('.case-table th')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent),
  );
  expect(wide).toEqual([]);
}

/** As `expectAccessible`, on a page whose script does not follow a change of the theme. */
async function expectAccessibleAfterReload(page: Page): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-bs-theme', theme);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations, theme).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
}

const help = (page: Page) => page.locator('.start-help');

test('where a script of the app can not be read, the page says in both languages what to do', {
  tag: '@phone',
}, async ({ page }) => {
  await page.route('**/assets/app-data-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'class A { static { }' }),
  );
  await page.goto('/auth');
  await expect(help(page)).toContainText('this browser is too old');
  await expect(help(page).locator('[lang=es]')).toContainText('este navegador es demasiado antiguo');
  await expectAccessibleAfterReload(page);
  await help(page).getByRole('link', { name: 'vea qué navegadores funcionan' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Navegadores que funcionan con Casewatch');
});

test('where a script of the app does not load, the page says so instead of staying blank', async ({
  page,
}) => {
  await page.route('**/assets/index-*.js', (route) => route.abort('internetdisconnected'));
  await page.goto('/auth');
  await expect(help(page)).toContainText('Reload the page.');
});

test('a browser that is older than the oldest shows the help by itself, and the app replaces it if it starts', async ({
  browser,
  baseURL,
}) => {
  // With another unit in the place of the one by which the page knows a browser.
  const context = await browser.newContext({ baseURL: baseURL ?? '', bypassCSP: true });
  const page = await context.newPage();
  const scripts = Promise.withResolvers<void>();
  await page.route('**/auth', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('1dvh', '1xyz') });
  });
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto('/auth', { waitUntil: 'commit' });
  await expect(help(page)).toBeVisible();
  scripts.resolve();
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expect(help(page)).toHaveCount(0);
  await context.close();
});

test('a supported browser never shows the help, however long the app takes to load', async ({ page }) => {
  const scripts = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/assets/index-*.js');
  await page.goto('/auth', { waitUntil: 'commit' });
  await asked;
  await expect(help(page)).toBeHidden();
  expect(await page.evaluate(() => document.querySelectorAll('.start-help').length)).toBe(1);
  scripts.resolve();
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
});

test('the page about browsers needs no script and no session, and every footer leads to it', {
  tag: '@phone',
}, async ({ page, browser, baseURL, context }) => {
  for (const path of ['/', '/auth']) {
    await page.goto(path);
    await expect(page.getByRole('contentinfo').getByRole('link', { name: BROWSERS })).toBeVisible();
  }
  await page.getByRole('contentinfo').getByRole('link', { name: BROWSERS }).click();
  await expect(page).toHaveURL('/help/browsers');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(BROWSERS);
  await expect(page.getByRole('main')).toContainText('iOS or iPadOS 15.4 or newer');
  await expectAccessibleAfterReload(page);

  const unscripted = await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled: false });
  await unscripted.addCookies(await context.cookies());
  const plain = await unscripted.newPage();
  await plain.goto('/help/browsers');
  await plain.getByRole('link', { name: 'Español' }).click();
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText(
    'Navegadores que funcionan con Casewatch',
  );
  await unscripted.close();
});
