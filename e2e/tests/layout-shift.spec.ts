import type { BrowserContext, Page } from '@playwright/test';
import { openAdmin } from '../src/admin.ts';
import { answerWith } from '../src/answers.ts';
import { expect, newReceiptNumber, test } from '../src/fixtures.ts';
import { post } from '../src/post.ts';

/** A fifth of what https://web.dev/articles/cls calls good. */
const SHIFT_MAX = 0.02;
/** Far enough apart that each answer is painted on its own. */
const BETWEEN_ANSWERS_MS = 120;
/** Shows every page whole, so that what moves below the fold counts. */
const TALL = 2_400;

const SIGNED_OUT = ['/', '/auth', '/forgot-password', '/cases/EAC9999103403', '/admin'];
const PROFILE = ['/profile', '/profile/notifications', '/profile/security', '/profile/data'];

interface Shift {
  value: number;
  moved: string[];
}

declare global {
  interface Window {
    shifts: Shift[];
  }
}

test.describe('nothing moves while a page gets its answers one by one', { tag: '@phone' }, () => {
  test.beforeEach(({ page }) =>
    page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: TALL }),
  );

  test('signed out', async ({ page }) => {
    await observeShifts(page);
    await expectStill(page, SIGNED_OUT);
  });

  test('signed in, with several cases', async ({ page, context, proUser: _ }) => {
    const receiptNumbers = Array.from({ length: 8 }, newReceiptNumber);
    for (const receiptNumber of receiptNumbers) await save(context, receiptNumber);
    await observeShifts(page);
    await expectStill(page, ['/', '/saved-cases', '/upgrade', `/cases/${receiptNumbers[0]}`]);
  });

  test('in the profile', async ({ page, proUser: _ }) => {
    await observeShifts(page);
    await expectStill(page, PROFILE);
  });

  test('signed in, without a case and with one', async ({ page, context, freeUser: _ }) => {
    await observeShifts(page);
    await expectStill(page, ['/saved-cases', '/profile']);
    await save(context, newReceiptNumber());
    await expectStill(page, ['/', '/saved-cases']);
  });

  test('under the notices of a refused address and a failed payment', async ({ page, proUser: _ }) => {
    for (const [path, problem] of [
      ['/api/auth/me', { emailRefused: true, paymentFailed: true }],
      ['/api/billing/subscription', { paymentFailed: true, endsAt: '2031-12-31T12:00:00Z' }],
    ] as const) {
      const answer = (await (await page.request.get(path)).json()) as object;
      await answerWith(page, { method: 'GET', path }, 200, { ...answer, ...problem });
    }
    await observeShifts(page);
    await expectStill(page, ['/', '/saved-cases', '/profile/security']);
    await expect(page.getByRole('region', { name: 'Payment problem' })).toContainText('before Dec 31, 2031');
    await expect(page.getByRole('region', { name: 'Email address not working' })).toBeVisible();
  });

  test('in the admin area', async ({ page }) => {
    await openAdmin(page);
    await observeShifts(page);
    await expectStill(page, ['/admin', '/admin?tab=surveys', '/admin?tab=audit']);
  });
});

const save = (context: BrowserContext, receiptNumber: string) =>
  post(context.request, '/api/saved-cases', { receiptNumber });

/** Records what moves on each page opened from now on, whose answers come one after the other. */
async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node?: Node }[] };
        const moved = sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? 'a removed node');
        window.shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  let last = Promise.resolve();
  await page.route('**/api/**', async (route) => {
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, BETWEEN_ANSWERS_MS)));
    await last;
    await route.fallback();
  });
}

async function expectStill(page: Page, paths: readonly string[]): Promise<void> {
  const found: Record<string, Shift[]> = {};
  for (const path of paths) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
    const shifts = await page.evaluate(() => window.shifts);
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    if (sum > SHIFT_MAX) found[path] = shifts;
  }
  expect(found).toEqual({});
}
