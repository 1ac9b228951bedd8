import { expect, type Locator, type Page } from '@playwright/test';
import type { Product } from './start-product.ts';

const SUBMIT = 'Check Status';
/** More stops than any screen has. */
const TAB_STOPS_MAX = 40;

export const checkButton = (page: Page) => page.getByRole('button', { name: SUBMIT });
export const receiptField = (page: Page) => page.getByLabel('Receipt Number', { exact: true });
export const caseCard = (page: Page, receiptNumber: string) =>
  page.getByRole('article').filter({ hasText: receiptNumber });

/** On the home page: types a receipt number and asks for its status. */
export async function lookUp(page: Page, receiptNumber: string): Promise<void> {
  await receiptField(page).fill(receiptNumber);
  await checkButton(page).click();
}

/** On the home page, for a pro user: asks for several cases at once. */
export async function lookUpSeveral(page: Page, receiptNumbers: readonly string[]): Promise<void> {
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  await page.getByLabel('Receipt Numbers').fill(receiptNumbers.join('\n'));
  await page.getByRole('button', { name: `Check ${receiptNumbers.length} Case(s)` }).click();
}

export const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;

/** Follows an entry of the sidebar, which a phone has to open first. */
export async function goTo(page: Page, entry: 'nav-home' | 'nav-saved-cases' | 'nav-profile'): Promise<void> {
  if (isPhone(page)) await page.getByTestId('sidebar-toggle').click();
  await page.getByTestId(entry).click();
}

export async function logOut(page: Page): Promise<void> {
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log out' }).press('Enter');
}

/** Presses Tab until the element has the focus, as a user without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < TAB_STOPS_MAX; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target, 'the Tab key does not lead there').toBeFocused();
}

/** Moves a case at the agency. */
export async function move({ agencyUrl }: Product, receiptNumber: string, status: string): Promise<void> {
  const answer = await fetch(`${agencyUrl}/__control/cases/${receiptNumber}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
  expect(answer.ok).toBe(true);
}
