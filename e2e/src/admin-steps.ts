import type { APIRequestContext, Page, PlaywrightWorkerArgs } from '@playwright/test';
import { expect, newPerson } from './fixtures.ts';
import { post } from './post.ts';
import type { Product } from './start-product.ts';

export const rows = (page: Page) => page.getByTestId('log-row');

export const gate = (page: Page) => page.getByRole('heading', { name: 'Admin Access' });

export const isNarrow = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;

/** Returns a new user's calls, with cookies of their own. */
export async function signedUp(
  playwright: PlaywrightWorkerArgs['playwright'],
  { url }: Product,
  firstName = 'Ada',
): Promise<APIRequestContext> {
  const caller = await playwright.request.newContext({ baseURL: url });
  await post(caller, '/api/auth/signup', { ...newPerson(), firstName });
  return caller;
}

export async function lookUp(caller: APIRequestContext, receiptNumber: string): Promise<void> {
  const answer = await caller.get(`/api/case-status/${receiptNumber}`);
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** The log is written a moment after the call: asks again until the rows are there. */
export async function refreshUntil(page: Page, count: number): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(rows(page)).toHaveCount(count, { timeout: 1_000 });
  }).toPass();
}

export async function textOf(download: {
  createReadStream(): Promise<NodeJS.ReadableStream>;
}): Promise<string> {
  let text = '';
  for await (const piece of await download.createReadStream()) text += String(piece);
  return text;
}
