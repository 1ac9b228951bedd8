import { APP_PAGES, NEXT_PARAMETER } from '@casewatch/contracts/app-pages';
import type { Browser, Page } from '@playwright/test';
import { test as base, expect, newPerson, newReceiptNumber, type Person } from '../src/fixtures.ts';
import { type MailingProduct, startMailingProduct } from '../src/mails.ts';
import { control } from '../src/payment-steps.ts';
import { post } from '../src/post.ts';
import { move } from '../src/steps.ts';
import { subscribe } from '../src/subscribe.ts';

const SLOW_MACHINE_MS = 180_000;

/** With a product of its own: the others send no e-mails. */
const test = base.extend<object, { product: MailingProduct }>({
  product: [
    async ({ browserName: _none }, use) => {
      const product = await startMailingProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** Opens an address in a browser that has never been here: no cookies, no service worker. */
async function openAfresh(browser: Browser, product: MailingProduct, address: URL | string): Promise<Page> {
  const { pathname, search, hash } = new URL(address, product.url);
  const context = await browser.newContext({ baseURL: product.url, serviceWorkers: 'block' });
  const page = await context.newPage();
  const answer = await page.goto(pathname + search + hash);
  expect(answer?.status(), pathname).toBe(200);
  return page;
}

const landing = (page: Page) => page.getByRole('link', { name: 'Get Started Free' });

/** The screen is neither the landing page nor a failure. */
async function expectOwnScreen(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
  await expect(page.getByText('404')).toHaveCount(0);
  await expect(landing(page)).toHaveCount(0);
}

test('in a browser without cookies every page shows itself, the sign-in that leads to it, or the landing page', async ({
  browser,
  product,
}) => {
  test.setTimeout(SLOW_MACHINE_MS);
  for (const [pattern, shown] of Object.entries(APP_PAGES)) {
    const path = pattern.replace(/:\w+/g, 'EAC9999103403');
    const page = await openAfresh(browser, product, path);
    if (shown === 'landing') await expect(landing(page), path).toBeVisible();
    else await expectOwnScreen(page);
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get(NEXT_PARAMETER)]).toEqual(
      shown === 'sign-in' ? ['/auth', path] : [path, null],
    );
    await page.context().close();
  }
});

test('a person who has forgotten the password resets it with the link of the e-mail, on a device that was never signed in', async ({
  browser,
  product,
}) => {
  const person = newPerson();
  const caller = (await browser.newContext({ baseURL: product.url })).request;
  await post(caller, '/api/auth/signup', person);
  const asking = await openAfresh(browser, product, '/forgot-password');
  await asking.getByLabel('Email').fill(person.email);
  await asking.getByRole('button', { name: 'Send link' }).click();
  await expect(asking.getByRole('heading', { name: 'Check your email' })).toBeVisible();

  const page = await openAfresh(browser, product, await linkOf(product, person.email, /Reset/));
  await page.getByLabel('New Password').fill('another horse 22');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  await post(page.request, '/api/auth/login', { email: person.email, password: 'another horse 22' });
});

test('a new user confirms the address with the link of the e-mail, on a device that was never signed in', async ({
  browser,
  product,
}) => {
  const { request } = await browser.newContext({ baseURL: product.url });
  const person = newPerson();
  await post(request, '/api/auth/signup', person);
  await confirm(browser, product, person);
  // The owner of the mailbox may not be who signed up: earlier sessions have ended.
  expect((await request.get('/api/auth/me')).status()).toBe(401);
  await post(request, '/api/auth/login', { email: person.email, password: person.password });
  expect((await (await request.get('/api/auth/me')).json()).emailVerified).toBe(true);
});

test('every link of every e-mail opens its page or the sign-in that leads there, in a browser without cookies', async ({
  browser,
  product,
}) => {
  test.setTimeout(SLOW_MACHINE_MS);
  const person = newPerson();
  await causeMails(browser, product, person);
  const opened = new Map<string, string[]>();
  for (const { subject, links } of await product.mails()) {
    for (const link of links.filter(({ host }) => host.startsWith('localhost'))) {
      const known = opened.get(link.pathname + link.search) ?? [];
      opened.set(link.pathname + link.search, [...known, subject]);
      if (known.length > 0) continue;
      const page = await openAfresh(browser, product, link);
      await expectOwnScreen(page);
      await page.context().close();
    }
  }
  const paths = [...opened.keys()].map((path) => path.replace(/(?<=^\/notifications\/).+/, ':id'));
  const expected = ['/auth', '/auth?next=%2Fupgrade', '/confirm-email', '/forgot-password'];
  expected.push('/notifications/:id', '/reset-password', '/unsubscribe');
  expect(paths).toEqual(expect.arrayContaining(expected));
});

/** Has the product send each e-mail that can be had within a test. */
async function causeMails(browser: Browser, product: MailingProduct, person: Person): Promise<void> {
  const newBrowser = async () => (await browser.newContext({ baseURL: product.url })).request;
  const owner = await newBrowser();
  await post(owner, '/api/auth/signup', person);
  await confirm(browser, product, person);
  // A sign-in, since the first proof of the address has ended the sessions before it, and a link for a new password.
  const { email, password } = person;
  await post(owner, '/api/auth/login', { email, password });
  await mailOf(product, person.email, /New sign-in/);
  await post(owner, '/api/auth/password-reset', { email: person.email });
  await mailOf(product, person.email, /Reset/);
  // A case that moves, and a payment that fails.
  await subscribe(owner, product, 'pm_card_renewalDeclined');
  const receiptNumber = newReceiptNumber();
  await move(product, receiptNumber, 'Case Was Received');
  await post(owner, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'daily' });
  const watches = async () => (await (await owner.get('/api/watches')).json())[0]?.lastCheckedAt;
  await expect.poll(watches).toBeTruthy();
  await move(product, receiptNumber, 'Case Was Approved');
  expect((await owner.get(`/api/case-status/${receiptNumber}`)).ok()).toBe(true);
  await mailOf(product, person.email, /Case Was Approved/);
  await control(product, '/clock', { advanceDays: 32 });
  await mailOf(product, person.email, /payment for Pro failed/);
  // Another address: that of another account, then a free one.
  const other = newPerson();
  await post(await newBrowser(), '/api/auth/signup', other);
  await confirm(browser, product, other);
  const change = { email: other.email, currentPassword: person.password };
  await post(owner, '/api/auth/email', change);
  await mailOf(product, other.email, /already have/);
  const moved = `new-${person.email}`;
  await post(owner, '/api/auth/email', { ...change, email: moved });
  await confirm(browser, product, { email: moved, password });
  await mailOf(product, person.email, /email address was changed/);
}

async function confirm(
  browser: Browser,
  product: MailingProduct,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  const page = await openAfresh(browser, product, await linkOf(product, email, /Confirm/));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await expect(page.getByRole('heading', { name: 'Email address confirmed' })).toBeVisible();
  await page.context().close();
}

async function linkOf(product: MailingProduct, to: string, subject: RegExp): Promise<URL> {
  const [link] = (await mailOf(product, to, subject)).links;
  if (!link) throw new Error(`the e-mail ${subject} has no link`);
  return link;
}

/** Waits for an e-mail. */
async function mailOf(product: MailingProduct, to: string, subject: RegExp) {
  const find = async () =>
    (await product.mails()).find((mail) => mail.to === to && subject.test(mail.subject));
  await expect.poll(find, { timeout: 20_000, message: `${subject} to ${to}` }).toBeDefined();
  const mail = await find();
  if (!mail) throw new Error(`the e-mail ${subject} was not sent`);
  return mail;
}
