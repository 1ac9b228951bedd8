import { randomUUID } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';

export interface Person {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
}

interface Fixtures {
  /** Faces of the run: sets the theme before the first paint. */
  themed: undefined;
  /** A new free user, signed in in this browser. */
  freeUser: Person;
  /** The pro demo user, signed in in this browser. */
  proUser: Person;
}

export const product = () => process.env.E2E_URL ?? '';
export const agency = () => process.env.E2E_AGENCY_URL ?? '';

export const test = base.extend<Fixtures>({
  baseURL: async ({ baseURL: _none }, use) => use(product()),
  themed: [
    async ({ context }, use, info) => {
      const theme = info.project.metadata.theme === 'dark' ? 'dark' : 'light';
      await context.addInitScript((value) => {
        if (location.protocol.startsWith('http') && !localStorage.getItem('theme'))
          localStorage.setItem('theme', value);
      }, theme);
      await use(undefined);
    },
    { auto: true },
  ],
  freeUser: async ({ context }, use) => {
    const person = newPerson();
    await post(context, '/api/auth/signup', person);
    await use(person);
  },
  proUser: async ({ context }, use) => {
    const person = {
      email: 'pro@demo.test',
      password: 'demo-demo-demo',
      firstName: 'Priya',
      lastName: 'Demo',
    };
    await post(context, '/api/auth/login', { email: person.email, password: person.password });
    await use(person);
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

/** A call as the page itself would make it; its cookies are the browser's. */
export async function post(context: BrowserContext, path: string, data: unknown): Promise<void> {
  const response = await context.request.post(product() + path, { data, headers: { origin: product() } });
  expect(response.ok(), `${path} answered ${response.status()}: ${await response.text()}`).toBe(true);
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

/** No axe violation, nothing wider than the window, on the page as it stands now. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours in mid-transition are not what anybody reads; a spinner never comes to rest.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, 'the page scrolls sideways').toBeLessThanOrEqual(0);
}
