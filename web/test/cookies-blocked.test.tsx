import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { button, expect, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, FREE_USER } from './samples.ts';

const BLOCKED =
  'Your browser blocks the cookies of this site, so it can’t keep you signed in. Allow cookies for this site in the browser’s settings, then sign in again.';
const BLOCKED_ES = /^Su navegador bloquea las cookies de este sitio/;

/** Every sign-in succeeds, and the cookie of its session never comes back. */
function blocksCookies(api: FakeApi): void {
  signedIn(api);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  api.answers(endpoints.logIn, FREE_USER);
  api.answers(endpoints.signUp, FREE_USER);
}

async function signIn(email = 'Email', password = 'Password'): Promise<void> {
  await page.getByLabelText(email, { exact: true }).fill(FREE_USER.email);
  await page.getByLabelText(password, { exact: true }).fill('correct horse 1');
  await userEvent.keyboard('{Enter}');
}

async function expectBlocked(words: string | RegExp = BLOCKED): Promise<void> {
  await expect.element(page.getByRole('main').getByRole('alert')).toMatchTextContent(words);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(document.body.textContent).not.toMatch(/Welcome back|session has ended|¡Qué gusto verle de nuevo!/);
}

test.for(['/auth', '/auth?next=%2Fprofile', '/cases/EAC9999103403'])(
  'where cookies are blocked, signing in at %s says so, and leads nowhere',
  async (path, { api }) => {
    blocksCookies(api);
    await showApp(path);
    await signIn();
    await expectBlocked();
    await expectAccessible();
    // It works as soon as they are allowed.
    api.answers(endpoints.getMe, FREE_USER);
    api.answers(endpoints.lookUpCase, caseResult('EAC9999103403'));
    api.answers(endpoints.listPrices, []);
    await button('Sign In').click();
    await expect.element(page.getByTestId('user-menu')).toBeVisible();
  },
);

test('where cookies are blocked, signing up says so', async ({ api }) => {
  blocksCookies(api);
  await showApp('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabelText('First Name').fill('Ada');
  await page.getByLabelText('Last Name').fill('Lovelace');
  await signIn();
  await expectBlocked();
});

test('where cookies are blocked, signing in in Spanish says so in Spanish', async ({ api }) => {
  blocksCookies(api);
  await showLanguage('es');
  await showApp('/auth');
  await signIn('Correo electrónico', 'Contraseña');
  await expectBlocked(BLOCKED_ES);
});

test('where cookies are blocked since, an ended session says so and asks no second time in vain', async ({
  api,
}) => {
  signedIn(api);
  api.refuses(endpoints.listSavedCasesPage, 'SIGNED_OUT');
  await showApp('/saved-cases');
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect.element(ended).toBeVisible();
  blocksCookies(api);
  api.refuses(endpoints.listSavedCasesPage, 'SIGNED_OUT');
  await ended.getByLabelText('Password').fill('correct horse 1');
  await userEvent.keyboard('{Enter}');
  await expect.element(ended.getByRole('alert')).toMatchTextContent(BLOCKED);
});

test('a sign-in whose check gets no answer is taken for one that worked', async ({ api }) => {
  blocksCookies(api);
  await showApp('/auth');
  api.loses(endpoints.getMe);
  await signIn();
  await expect.element(page.getByTestId('user-menu')).toBeVisible();
});
