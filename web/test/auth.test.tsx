import { emailLinkPath } from '@casewatch/contracts/app-pages';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
import { button, expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER } from './samples.ts';

const PASSWORD = 'correct horse 1';
const field = (name: string) => page.getByLabelText(name, { exact: true });

async function showAuth(api: FakeApi, tab?: 'Sign Up'): Promise<void> {
  signedIn(api);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await showApp('/auth');
  if (tab) await page.getByRole('tab', { name: tab }).click();
}
async function fillSignIn(): Promise<void> {
  await field('Email').fill(FREE_USER.email);
  await field('Password').fill(PASSWORD);
}
async function fillSignUp(): Promise<void> {
  await field('First Name').fill(FREE_USER.firstName);
  await field('Last Name').fill(FREE_USER.lastName);
  await fillSignIn();
}

test('each wrong field says so beneath it and nothing is sent', async ({ api }) => {
  await showAuth(api);
  await field('Email').fill('nobody');
  await button('Sign In').click();
  await expect.element(field('Email')).toHaveAccessibleDescription('Invalid email address');
  await expect.element(field('Password')).toHaveAccessibleDescription('Password is required');
  await expect.element(field('Email')).toHaveFocus();

  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await field('Email').fill('nobody@');
  await field('Password').fill('short');
  await button('Create Account').click();
  for (const [name, message] of [
    ['First Name', 'First name is required'],
    ['Last Name', 'Last name is required'],
    ['Email', 'Invalid email address'],
    ['Password', 'Password must be at least 8 characters'],
  ] as const) {
    await expect.element(page.getByText(message)).toBeVisible();
    await expect.element(field(name)).toHaveAccessibleDescription(message);
  }
  await expectAccessible();
  expect([api.count(endpoints.logIn), api.count(endpoints.signUp)]).toEqual([0, 0]);
});

test.for([
  ['ana&luis@example.com', 'ana&luis@example.com'],
  ["o'brien@example.ie", "o'brien@example.ie"],
  ['a{b}..c@docomo.example.jp', 'a{b}..c@docomo.example.jp'],
  ['ana@xn--bcher-kva.example', 'ana@xn--bcher-kva.example'],
  ['ana@bücher.example', /^ana@(bücher|xn--bcher-kva)\.example$/],
  ['ivan@почта.рф', /^ivan@(почта\.рф|xn--80a1acny\.xn--p1ai)$/],
] as const)('%s is an address to sign up with', async ([address, sent], { api }) => {
  await showAuth(api, 'Sign Up');
  const signUps = api.holds(endpoints.signUp);
  await fillSignUp();
  await field('Email').fill(address);
  await button('Create Account').click();
  await expect.poll(() => signUps[0]?.body.email).toMatch(sent);
  signUps[0]?.refuse('INTERNAL');
});

test('a sign-up sends the version of the policies that the page showed, and after a refusal the one to read then', async ({
  api,
  onTestFinished,
}) => {
  document.documentElement.dataset.policiesVersion = '2026-11-01';
  onTestFinished(() => {
    delete document.documentElement.dataset.policiesVersion;
  });
  await showAuth(api, 'Sign Up');
  await fillSignUp();
  const changed = { error: 'Changed.', code: 'POLICIES_CHANGED', values: { version: '2026-12-01' } };
  api.responds(endpoints.signUp, 409, changed);
  await button('Create Account').click();
  await expectToast('Signup failed', 'Changed.');
  const signUps = api.holds(endpoints.signUp);
  await button('Create Account').click();
  await expect.poll(() => signUps[0]?.body.policiesVersion).toBe('2026-12-01');
  signUps[0]?.refuse('INTERNAL');
});

test('while the answer is on its way the buttons say what is being done', async ({ api }) => {
  await showAuth(api, 'Sign Up');
  const signUps = api.holds(endpoints.signUp);
  await fillSignUp();
  await button('Create Account').click();
  await expect.element(button('Creating account...')).toBeDisabled();
  expect(signUps[0]?.body).toMatchObject({ email: FREE_USER.email, password: PASSWORD });
  signUps[0]?.refuse('INTERNAL');
  await expect.element(button('Create Account')).toBeEnabled();

  await page.getByRole('tab', { name: 'Sign In' }).click();
  const signIns = api.holds(endpoints.logIn);
  await fillSignIn();
  await button('Sign In').click();
  await expect.element(button('Signing in...')).toBeDisabled();
  api.answers(endpoints.getMe, FREE_USER);
  signIns[0]?.answer(FREE_USER);
  await expect.element(page.getByTestId('user-menu')).toBeVisible();
});

test('a refusal is shown in the words of the server, and without any in the words of the product', async ({
  api,
}) => {
  await showAuth(api);
  await fillSignIn();
  for (const [body, words] of [
    [{ error: 'Too many tries. Wait 5 minutes.' }, 'Too many tries. Wait 5 minutes.'],
    [{}, 'Invalid email or password'],
  ] as const) {
    api.responds(endpoints.logIn, 429, body);
    await button('Sign In').click();
    await expectToast('Login failed', words);
  }
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await fillSignUp();
  api.responds(endpoints.signUp, 500, {});
  await button('Create Account').click();
  await expectToast('Signup failed', 'Failed to create account');
  await expect.element(field('Email')).toHaveValue(FREE_USER.email);
});

test('a sign-out that fails says so and leaves the user signed in', async ({ api }) => {
  signedIn(api);
  api.refuses(endpoints.logOut, 'INTERNAL', 'Out of order');
  await showApp('/saved-cases');
  await page.getByTestId('user-menu').click();
  await userEvent.keyboard('{Enter}');
  await expectToast('Error', 'Failed to log out. Please try again.');
  await expect.element(page.getByRole('heading', { name: 'Saved Cases', level: 1 })).toBeVisible();
});

test('the link of an e-mail offers the sign-in, whatever it leads to', async ({ api }) => {
  signedIn(api);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await showApp(emailLinkPath('/upgrade'));
  await expect.element(page.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true');
  await expect.element(page.getByText('Already have an account? Sign in.')).not.toBeInTheDocument();
});
