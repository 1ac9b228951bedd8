import { expect, expectAccessible, test } from '../src/fixtures.ts';

test('an unknown path says 404 Page Not Found to the signed-in user', async ({ page, freeUser: _ }) => {
  await page.goto('/no/such/page');
  await expect(page.getByText('404 Page Not Found')).toBeVisible();
  await expectAccessible(page);
});

test('the sidebar marks where you are, toggles with Ctrl+B and remembers', async ({
  page,
  context,
  viewport,
  freeUser: _,
}) => {
  await page.goto('/saved-cases');
  const phone = (viewport?.width ?? 0) < 768;
  if (phone) await page.getByRole('button', { name: /toggle sidebar/i }).click();
  await expect(page.getByTestId('nav-saved-cases')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByTestId('nav-home')).not.toHaveAttribute('aria-current', 'page');
  await expectAccessible(page);
  if (phone) {
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('nav-profile')).toBeHidden();
    return;
  }
  const width = () =>
    page
      .getByTestId('nav-profile')
      .evaluate((node) => node.closest('aside, nav')?.getBoundingClientRect().width ?? 0);
  expect(await width()).toBeGreaterThan(200);
  await page.keyboard.press('Control+b');
  await expect.poll(width).toBeLessThan(60);
  const cookie = (await context.cookies()).find(({ name }) => name === 'sidebar_state');
  expect(cookie?.value).toBe('false');
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(6.9 * 24 * 3600);
  await page.reload();
  await expect.poll(width).toBeLessThan(60);
});

test('the theme changes, is kept, and needs no script to be right at the first paint', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/');
  const dark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
  const before = await dark();
  await page.getByRole('button', { name: /theme/i }).click();
  expect(await dark()).toBe(!before);
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe(before ? 'light' : 'dark');
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.body !== null);
  expect(await dark()).toBe(!before);
});
