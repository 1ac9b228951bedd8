import { recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, test } from '../src/fixtures.ts';
import { logOut } from '../src/steps.ts';

const SAVED_CASES = { method: 'GET', path: '/api/saved-cases/page' };

test('signed out, /auth is the sign-in screen and every other path the landing page', async ({ page }) => {
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

test('signed in, each path has its screen and /auth leads on to the start', async ({ page, freeUser: _ }) => {
  for (const [path, heading] of [
    ['/', 'Immigration Case Status'],
    ['/saved-cases', 'Saved Cases'],
    ['/profile', 'Profile'],
    ['/auth', 'Immigration Case Status'],
    ['/no/such/page', '404 Page Not Found'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    await expect(page.getByTestId('notifications-bell')).toBeVisible();
    await expect(page.getByTestId('user-menu')).toBeVisible();
  }
  await expectAccessible(page);
});

test('the notifications are polled every 30 seconds, and nothing else by itself', async ({
  page,
  freeUser: _,
}) => {
  await page.clock.install();
  const bell = recordCalls(page, { method: 'GET', path: '/api/notifications' });
  const read = recordCalls(page, SAVED_CASES);
  let answers = 0;
  page.on('requestfinished', (request) => {
    if (bell.includes(request)) answers += 1;
  });
  // Not before the list has been read: else that read serves the beginning of the stream as well.
  await page.route('**/api/notifications/stream', async (route) => {
    await expect.poll(() => answers).toBe(1);
    await route.continue();
  });
  await page.goto('/saved-cases');
  await expect(page.getByText('No saved cases yet')).toBeVisible();
  // The second is of the stream, which has begun. The 30 seconds begin with the answer.
  await expect.poll(() => answers).toBe(2);
  await page.clock.pauseAt(Date.now() + 5_000);
  for (const times of [3, 4, 5]) {
    await page.clock.runFor(30_000);
    await expect.poll(() => answers).toBe(times);
    expect(bell).toHaveLength(times);
  }
  expect(read).toHaveLength(1);
});

test('signing out in one tab signs the other out too', { tag: '@main-flow' }, async ({
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

test('signing in in one tab brings the other in too', async ({ page, context, freeUser }) => {
  await context.clearCookies();
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/auth');
  await other.getByLabel('Email').fill(freeUser.email);
  await other.getByLabel('Password').fill(freeUser.password);
  await other.getByRole('button', { name: 'Sign In' }).click();
  await expect(other).toHaveURL('/');
  for (const tab of [page, other]) await expect(tab.getByTestId('user-menu')).toBeVisible();
});
