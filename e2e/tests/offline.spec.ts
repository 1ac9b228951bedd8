import type { Page } from '@playwright/test';
import { expect, test } from '../src/fixtures.ts';

test.use({ serviceWorkers: 'allow' });

/** Opens the app and waits until its worker can serve it alone. */
async function openInstalled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === 'activated') return;
    await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
  });
}

test('the app can be installed: Chromium finds nothing missing in its manifest', async ({
  page,
  freeUser: _user,
}) => {
  await openInstalled(page, '/');
  const devtools = await page.context().newCDPSession(page);
  const { errors, data } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? '{}').shortcuts).toHaveLength(2);
  expect((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
});

test('offline a reload brings the app back', async ({ page, context, freeUser: _user }) => {
  await openInstalled(page, '/saved-cases');
  await context.setOffline(true);
  await page.reload();
  await expect(page.locator('h1')).toBeVisible();
});
