import { answerWith } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, test } from '../src/fixtures.ts';
import { isPhone, logOut, tabTo } from '../src/steps.ts';

const LOG_OUT = { method: 'POST', path: '/api/auth/logout' };

test('the sidebar marks where you are, toggles with Ctrl+B and remembers', { tag: '@phone' }, async ({
  page,
  context,
  freeUser: _,
}) => {
  await page.goto('/saved-cases');
  const sidebar = page.getByTestId('sidebar');
  const sheet = page.getByRole('dialog', { name: 'Sidebar' });
  const phone = isPhone(page);
  const heading = page.getByRole('heading', { name: 'Saved Cases', level: 1 });
  await expect(heading).toBeVisible();
  if (phone) await page.getByTestId('sidebar-toggle').click();
  for (const [entry, label] of [
    ['nav-home', 'Search'],
    ['nav-saved-cases', 'Saved Cases'],
    ['nav-profile', 'Profile'],
  ] as const) {
    await expect(page.getByTestId(entry)).toHaveText(label);
  }
  await expect(phone ? sheet : sidebar).toContainText('Immigration Lookup');
  await expect(page.getByTestId('nav-saved-cases')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByTestId('nav-home')).not.toHaveAttribute('aria-current', 'page');
  await expectAccessible(page);
  const marked = await page.getByTestId('nav-saved-cases').evaluate((link) => getComputedStyle(link).color);
  const other = await page.getByTestId('nav-profile').evaluate((link) => getComputedStyle(link).color);
  expect(marked).not.toBe(other);

  if (phone) {
    expect((await sheet.boundingBox())?.width).toBe(18 * 16);
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
    await page.keyboard.press('Meta+b');
    await expect(sheet).toBeVisible();
    await page.getByTestId('nav-profile').click();
    await expect(sheet).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeFocused();
    return;
  }
  const width = async () => (await sidebar.boundingBox())?.width;
  expect(await width()).toBe(16 * 16);
  await page.keyboard.press('Control+b');
  await expect.poll(width).toBe(3 * 16);
  const cookie = (await context.cookies()).find(({ name }) => name === 'sidebar_state');
  expect(cookie?.value).toBe('false');
  expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - 604_800)).toBeLessThan(60);
  await page.reload();
  await expect.poll(width).toBe(3 * 16);
  await expect(heading).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Meta+b');
  await expect.poll(width).toBe(16 * 16);
  await page.getByTestId('sidebar-toggle').click();
  await expect.poll(width).toBe(3 * 16);
});

test('below 768 px the sidebar is a sheet, from there on a column', async ({ page, freeUser: _ }) => {
  await page.goto('/profile');
  await page.setViewportSize({ width: 768, height: 700 });
  await expect(page.getByTestId('sidebar')).toBeVisible();
  await page.setViewportSize({ width: 767, height: 700 });
  await expect(page.getByTestId('sidebar')).toHaveCount(0);
  await page.getByTestId('sidebar-toggle').click();
  await expect(page.getByRole('dialog', { name: 'Sidebar' })).toBeVisible();
});

test('the sheet leaves at once, also while it comes in, and nothing stays over the page', async ({
  page,
  freeUser: _,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/profile');
  const toggle = page.getByTestId('sidebar-toggle');
  const sheet = page.getByRole('dialog', { name: 'Sidebar' });
  await expect(toggle).toBeVisible();
  for (let round = 0; round < 5; round++) {
    await toggle.focus();
    await toggle.evaluate((button: HTMLElement) => button.click());
    await page
      .getByRole('button', { name: 'Close sidebar' })
      .evaluate((button: HTMLElement) => button.click());
    await expect(sheet).toHaveCount(0);
    await expect(page.locator('.modal-backdrop')).toHaveCount(0);
    await expect(toggle).toBeFocused();
  }
  await toggle.click();
  await expect(sheet).toBeVisible();
  await page.mouse.click(310, 400);
  await expect(sheet).toHaveCount(0);
});

test('tooltips wait 700 ms in the header and not at all next to the collapsed sidebar', async ({
  page,
  context,
  baseURL,
  freeUser: _,
}) => {
  await context.addCookies([{ name: 'sidebar_state', value: 'false', url: baseURL ?? '' }]);
  await page.clock.install();
  await page.goto('/profile');
  await expect(page.getByTestId('sidebar-toggle')).toBeVisible();
  await page.clock.pauseAt(Date.now() + 5_000);
  const tooltip = page.getByRole('tooltip');
  if (!isPhone(page)) {
    await tabTo(page, page.getByTestId('nav-profile'));
    await page.clock.runFor(0);
    await expect(tooltip).toHaveText('Profile');
    await page.keyboard.press('Escape');
    await expect(tooltip).toHaveCount(0);
    // Within 300 ms of another one closing, the next would open at once.
    await page.clock.runFor(300);
  }
  await tabTo(page, page.getByTestId('sidebar-toggle'));
  // What the sidebar's tooltips left running is over.
  await page.clock.runFor(690);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(20);
  await expect(tooltip).toHaveText(/toggle sidebar/i);
});

test('a new browser is light; dark is a class on the root', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ colorScheme: 'dark' });
  const page = await context.newPage();
  await page.goto(baseURL ?? '');
  const root = page.locator('html');
  await expect(root).not.toHaveClass(/dark/);
  await page.getByTestId('theme-toggle').click();
  await expect(root).toHaveClass(/dark/);
  await context.close();
});

test('the theme changes, is kept, and needs no script to be right at the first paint', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/');
  const dark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
  const before = await dark();
  await page.getByTestId('theme-toggle').click();
  expect(await dark()).toBe(!before);
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe(before ? 'light' : 'dark');
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.body !== null);
  expect(await dark()).toBe(!before);
});

test('one toast is shown at a time, for five seconds', async ({ page, freeUser: _ }) => {
  await page.clock.install();
  await page.goto('/profile');
  await expect(page.getByTestId('user-menu')).toBeVisible();
  const fault = await answerWith(page, LOG_OUT, 500, {});
  await page.clock.pauseAt(Date.now() + 5_000);
  await logOut(page);
  await expectToast(page, 'Error');
  await fault.end();
  await page.getByRole('menuitem', { name: 'Log out' }).press('Enter');
  await expectToast(page, 'Logged out');
  const toast = page.locator('.toast-card');
  await expect(toast).toHaveCount(1);
  await page.clock.runFor(4_900);
  await expect(toast).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(toast).toHaveCount(0);
});

test('a toast is reached with F8 and dismissed by a long swipe to the right', async ({
  page,
  freeUser: _,
}) => {
  await page.clock.install();
  await page.goto('/profile');
  await expect(page.getByTestId('user-menu')).toBeVisible();
  await answerWith(page, LOG_OUT, 500, {});
  await page.clock.pauseAt(Date.now() + 5_000);
  await logOut(page);
  await expectToast(page, 'Error');
  // The region of toasts listens for the focus a moment after it has drawn its first one.
  await page.clock.runFor(1_000);
  await page.keyboard.press('F8');
  await expect(page.locator('.toast-viewport')).toBeFocused();
  // Its time stands still while the focus is there.
  await page.clock.resume();
  await expectAccessible(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  const toast = page.locator('.toast-card');
  await expect(toast).toHaveCount(1);

  const swipe = async (by: number) => {
    const box = await toast.boundingBox();
    if (!box) throw new Error('there is no toast to swipe');
    const [x, y] = [box.x + 40, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by, y, { steps: 5 });
    await page.mouse.up();
  };
  await swipe(40);
  await expect(toast).not.toHaveAttribute('data-swipe', 'move');
  await expect(toast).toHaveCount(1);
  await swipe(90);
  await expect(toast).toHaveCount(0);
});
