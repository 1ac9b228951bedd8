import { answerWith, holdAnswers, loseConnection, recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, newReceiptNumber, post, product, test } from '../src/fixtures.ts';
import { goTo, logOut } from '../src/steps.ts';

const ME = { method: 'GET', path: '/api/auth/me' };
const SAVED_CASES = { method: 'GET', path: '/api/saved-cases' };

test('signed out, /auth is the sign-in screen and every other path the landing page', {
  tag: '@any-theme',
}, async ({ page }) => {
  for (const path of ['/', '/saved-cases', '/profile', '/upgrade', '/somewhere/else']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
    await expect(page.getByTestId('notifications-bell')).toHaveCount(0);
    await expect(page.getByTestId('user-menu')).toHaveCount(0);
  }
  await page.goto('/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByTestId('user-menu')).toHaveCount(0);
});

test('signed in, each path has its screen and /auth is none of them', async ({ page, freeUser: _ }) => {
  for (const [path, heading] of [
    ['/', 'Immigration Case Status'],
    ['/saved-cases', 'Saved Cases'],
    ['/profile', 'Profile'],
    ['/auth', '404 Page Not Found'],
    ['/no/such/page', '404 Page Not Found'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    await expect(page.getByTestId('notifications-bell')).toBeVisible();
    await expect(page.getByTestId('user-menu')).toBeVisible();
  }
  await expectAccessible(page);
});

test('until it is known who is signed in, the page says that it is loading', async ({
  page,
  freeUser: _,
}) => {
  const me = await holdAnswers(page, ME);
  await page.goto('/profile');
  await expect(page.getByText('Loading...')).toBeVisible();
  await expectAccessible(page);
  me.release();
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
});

test('a server that can not be reached is told, with a way to try again', async ({ page, freeUser: _ }) => {
  const gap = await loseConnection(page, ME);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: "We can't reach the server" })).toBeVisible();
  await expectAccessible(page);
  await gap.end();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
});

test('a session that has ended shows the landing page at the next read, without a message', {
  tag: '@any-theme',
}, async ({ page, context, freeUser: _ }) => {
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  await context.clearCookies();
  await goTo(page, 'nav-saved-cases');
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await expect(page.locator('.toast-card')).toHaveCount(0);
});

test('a change that finds the session ended leads to the landing page', { tag: '@any-theme' }, async ({
  page,
  context,
  freeUser: _,
}) => {
  await post(context, '/api/saved-cases', { receiptNumber: newReceiptNumber(), monitoringFrequency: 'none' });
  await page.goto('/saved-cases');
  await page.getByRole('button', { name: 'Add nickname' }).click();
  await context.clearCookies();
  await page.getByPlaceholder('Add a nickname...').fill('Mine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
});

test('who is signed in is asked once in five minutes, and nothing is read again for looking at it', {
  tag: '@any-theme',
}, async ({ page, freeUser: _ }) => {
  await page.clock.install();
  const asked = recordCalls(page, ME);
  const read = recordCalls(page, SAVED_CASES);
  await page.goto('/saved-cases');
  await expect(page.getByText('No saved cases yet')).toBeVisible();
  await page.evaluate(() => {
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.clock.fastForward('04:30');
  await goTo(page, 'nav-profile');
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  await goTo(page, 'nav-saved-cases');
  await expect(page.getByText('No saved cases yet')).toBeVisible();
  expect([asked.length, read.length]).toEqual([1, 1]);

  await page.clock.fastForward('01:00');
  await goTo(page, 'nav-profile');
  await expect.poll(() => asked.length).toBe(2);
});

test('the notifications are asked for every 30 seconds, and nothing else by itself', {
  tag: '@any-theme',
}, async ({ page, freeUser: _ }) => {
  await page.clock.install();
  const bell = recordCalls(page, { method: 'GET', path: '/api/notifications' });
  const read = recordCalls(page, SAVED_CASES);
  await page.goto('/saved-cases');
  await expect(page.getByText('No saved cases yet')).toBeVisible();
  await expect.poll(() => bell.length).toBeGreaterThan(0);
  await page.clock.pauseAt(Date.now() + 5_000);
  for (let times = 0; times < 3; times += 1) {
    const before = bell.length;
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/notifications'));
    await page.clock.runFor(30_000);
    await (await answer).finished();
    expect(bell.length - before).toBe(1);
  }
  expect(read).toHaveLength(1);
});

test('a read that fails is not tried again unless somebody asks', async ({ page, freeUser: _ }) => {
  const read = recordCalls(page, SAVED_CASES);
  const fault = await answerWith(page, SAVED_CASES, 500, {});
  await page.goto('/saved-cases');
  await expect(page.getByRole('alert')).toContainText('Your saved cases could not be loaded');
  await expectAccessible(page);
  await fault.end();
  expect(read).toHaveLength(1);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No saved cases yet')).toBeVisible();
  expect(read).toHaveLength(2);
});

test('signing out in one tab signs the other out too', { tag: ['@any-theme', '@main-flow'] }, async ({
  page,
  context,
  freeUser,
}) => {
  await page.goto('/saved-cases');
  const other = await context.newPage();
  await other.goto('/profile');
  await expect(other.getByText(freeUser.email).first()).toBeVisible();
  await logOut(page);
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await expect(other.getByText(freeUser.email)).toHaveCount(0);
});

test('signing in in one tab brings the other in too', { tag: '@any-theme' }, async ({
  page,
  context,
  freeUser,
}) => {
  await context.clearCookies();
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/auth');
  await other.getByLabel('Email').fill(freeUser.email);
  await other.getByLabel('Password').fill(freeUser.password);
  await other.getByRole('button', { name: 'Sign In' }).click();
  await expect(other).toHaveURL(`${product()}/`);
  for (const tab of [page, other]) await expect(tab.getByTestId('user-menu')).toBeVisible();
});
