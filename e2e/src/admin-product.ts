import { type APIRequestContext, expect, type Page, request } from '@playwright/test';
import { test as base, newPerson, type Person } from './fixtures.ts';
import { type StartedProduct, startProduct } from './start-product.ts';

export const PASSCODE = 'admin passcode of the tests';

interface Fixtures {
  /** Calls as an administrator makes them, in a session of its own. */
  admin: APIRequestContext;
}

/**
 * Tests with a product of their own, one for each worker: surveys are shown to everybody and the log holds
 * everybody's calls, so neither may reach other tests.
 */
export const test = base.extend<Fixtures, { ownProduct: StartedProduct }>({
  ownProduct: [
    async ({ browserName: _none }, use) => {
      const product = await startProduct({ ADMIN_PASSCODE: PASSCODE, FRESHNESS_SECONDS: '0' });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ ownProduct }, use) => use(ownProduct.url),
  admin: async ({ ownProduct }, use) => {
    const admin = await callerOf(ownProduct);
    await call(admin, '/api/admin/login', { passcode: PASSCODE });
    await use(admin);
    await admin.dispose();
  },
});

/** Calls to the product with cookies of their own. */
export async function callerOf({ url }: StartedProduct): Promise<APIRequestContext> {
  return request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
}

/** Posts, and gives the answer. */
export async function call<Answer>(caller: APIRequestContext, path: string, data?: unknown): Promise<Answer> {
  const answer = await caller.post(path, data === undefined ? {} : { data });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return answer.json();
}

/** A new free user, signed in in the page's browser. */
export async function signUp(page: Page, { url }: StartedProduct, facts: Partial<Person> = {}) {
  const person = { ...newPerson(), ...facts };
  const answer = await page.context().request.post(`${url}/api/auth/signup`, {
    data: person,
    headers: { origin: url },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return person;
}

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
