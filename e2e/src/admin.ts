import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { test as base } from './fixtures.ts';
import { post } from './post.ts';
import { PASSCODE } from './start-product.ts';
import { removeSurveys } from './survey-steps.ts';

interface Fixtures {
  /** Calls as an administrator makes them, in a session of its own; begins and ends without a survey. */
  admin: APIRequestContext;
}

export const test = base.extend<Fixtures>({
  admin: async ({ playwright, product }, use) => {
    const admin = await playwright.request.newContext({
      baseURL: product.url,
      extraHTTPHeaders: { origin: product.url },
    });
    await post(admin, '/api/admin/login', { passcode: PASSCODE });
    await removeSurveys(admin);
    await use(admin);
    // A survey is shown to every user, including those of later tests.
    await removeSurveys(admin);
    await admin.dispose();
  },
});

/** Opens the admin area at an address of it. */
export async function openAdmin(page: Page, address = '/admin'): Promise<void> {
  await page.goto(address);
  await enterPasscode(page);
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible();
}

export async function enterPasscode(page: Page, passcode = PASSCODE): Promise<void> {
  await page.getByLabel('Passcode').fill(passcode);
  await page.getByRole('button', { name: 'Access Admin Panel' }).click();
}
