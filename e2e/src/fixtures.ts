import { randomUUID } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { post } from './post.ts';
import { productOf } from './products.ts';
import type { Product } from './start-product.ts';
import { subscribe } from './subscribe.ts';

export interface Person {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

interface Fixtures {
  /** A new free user, signed in in this browser. */
  freeUser: Person;
  /** A new Pro user, signed in in this browser. */
  proUser: Person;
}

interface WorkerFixtures {
  /** This worker's own: what a test does to it reaches only the tests after it. */
  product: Product;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  product: [
    async ({ browserName: _none }, use, { parallelIndex }) => use(productOf(parallelIndex)),
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  freeUser: async ({ context }, use) => {
    const person = newPerson();
    await post(context.request, '/api/auth/signup', person);
    await use(person);
  },
  proUser: async ({ context, freeUser, product }, use) => {
    await subscribe(context.request, product);
    await use(freeUser);
  },
});

export { expect };

export function newPerson(): Person {
  const id = randomUUID().slice(0, 12);
  return {
    email: `e2e-${id}@example.test`,
    password: 'correct horse 1',
    firstName: 'Ada',
    lastName: `Tester ${id}`,
  };
}

/** Any well-formed receipt number that ends in an even digit is a case of the simulator, always the same. */
export function newReceiptNumber(): string {
  const digits = String(Math.floor(Math.random() * 1e9)).padStart(9, '0');
  return `WAC${digits}4`;
}

/** The toast that is on the screen now says these words: its title, its text, or both. */
export async function expectToast(page: Page, ...words: string[]): Promise<void> {
  const toast = page.locator('.toast-card');
  for (const text of words) await expect(toast.getByText(text, { exact: true })).toBeVisible();
}

/** No axe violation in either theme, nothing wider than the window, on the page as it stands now. */
export async function expectAccessible(page: Page): Promise<void> {
  await stopMotion(page);
  expect(await violations(new AxeBuilder({ page })), 'in the light theme').toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, 'the page scrolls sideways').toBeLessThanOrEqual(0);

  await setTheme(page, 'dark');
  // Nothing but colors depends on the theme.
  const dark = new AxeBuilder({ page }).setLegacyMode().withRules(['color-contrast']);
  expect(await violations(dark), 'in the dark theme').toEqual([]);
  await setTheme(page, 'light');
}

async function violations(axe: AxeBuilder): Promise<string[]> {
  const found = (await axe.analyze()).violations;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** As another tab would: dialogs in front do not matter. */
async function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(
    (newValue) => window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue })),
    theme,
  );
  await expect(page.locator('html')).toHaveAttribute('data-bs-theme', theme);
}

/** Colors in mid-transition are not what users read, and a toast may begin to fade at any time. */
async function stopMotion(page: Page): Promise<void> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; }');
    document.adoptedStyleSheets.push(still);
  });
}
