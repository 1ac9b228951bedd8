import type { BrowserContext, FrameLocator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import type { Product } from './start-product.ts';

/** What the payments simulator's cards do; any date to come, security code and ZIP code go with them. */
export const CARDS = {
  good: '4242424242424242',
  another: '4242420000000018',
  declined: '4000000000000002',
  needsDialog: '4000002500003155',
  /** Also for a charge after the first. */
  needsDialogAlways: '4000002760003184',
  processing: '4000000000001976',
  needsRedirect: '4000000000002024',
  renewalDeclined: '4000000000002255',
} as const;

export const payButton = (page: Page) =>
  page.getByRole('button', { name: /^Subscribe to Pro - |^Start .+ free trial$|^Processing/ });
export const priceButton = (page: Page, name: 'Monthly' | 'Yearly') =>
  page.getByRole('button', { name: `${name} billing` });

/** Returns the provider's form, in its own frame. */
export const cardForm = (page: Page): FrameLocator => page.frameLocator('.payment-element iframe').first();

export async function fillCard(page: Page, number: string): Promise<void> {
  const form = cardForm(page);
  await form.getByLabel('Card number').fill(number);
  await form.getByLabel('Expiration').fill('12/40');
  await form.getByLabel('Security code').fill('123');
  await form.getByLabel('ZIP code').fill('10001');
}

/** Returns the dialog of the bank. */
export const authentication = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Authentication"]');

/** Returns the button by which the payer authenticates. */
export const completion = (page: Page) =>
  authentication(page).getByRole('button', { name: 'Complete authentication' });

/** On the upgrade screen: pays with this card. */
export async function payWith(page: Page, number: string): Promise<void> {
  await expect(payButton(page)).toBeVisible();
  await fillCard(page, number);
  await payButton(page).click();
}

/** Asks the payments simulator's control API for something. */
export async function control({ paymentsUrl }: Product, path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${paymentsUrl}/__control${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok, `${path} answered ${answer.status}`).toBe(true);
  return answer.json();
}

/** Returns the signed-in user, as the server returns it. */
export async function tierOf(context: BrowserContext, { url }: Product): Promise<string> {
  const answer = await context.request.get(`${url}/api/auth/me`);
  const { tier } = await answer.json();
  return tier;
}

/** Makes the signed-in user pro, with this card. */
export async function subscribeWith(page: Page, number: string): Promise<void> {
  await page.goto('/upgrade');
  await payWith(page, number);
  await expect(page.getByRole('heading', { name: 'Immigration Case Status', level: 1 })).toBeVisible();
}
