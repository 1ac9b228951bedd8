import { answerWith, holdAnswers } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, newPerson, post, product, test } from '../src/fixtures.ts';
import { logOut } from '../src/steps.ts';

test('a stranger signs up, signs out and signs in again', { tag: '@main-flow' }, async ({ page }) => {
  const person = newPerson();
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started Free' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByRole('heading', { name: 'Immigration Case Status', level: 1 })).toBeVisible();
  await expect(page.getByText('Sign in to check your immigration case status')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('First Name').fill(person.firstName);
  await page.getByLabel('Last Name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await expect(page.getByLabel('Password')).toHaveAttribute('placeholder', 'Minimum 8 characters');
  await page.getByLabel('Password').fill(person.password);
  const role = page.getByLabel('Role (Optional)');
  await expect(role).toHaveAttribute('placeholder', 'e.g., Applicant, Attorney, etc.');
  await role.fill('Applicant');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page).toHaveURL(`${product()}/`);
  await expectToast(page, 'Account created!', 'Your account has been successfully created.');

  await page.getByTestId('user-menu').click();
  for (const fact of [person.firstName, person.lastName, person.email, 'Applicant']) {
    await expect(page.getByRole('banner')).toContainText(fact);
  }
  await page.keyboard.press('Escape');
  await logOut(page);
  await expectToast(page, 'Logged out', 'You have been successfully logged out.');
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();

  await page.goto('/auth');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(`${product()}/`);
  await expectToast(page, 'Welcome back!', 'You have successfully logged in.');
  await expect(page.getByRole('heading', { name: 'Immigration Case Status' })).toBeVisible();
});

test('each wrong field says so beneath it and nothing is sent', async ({ page }) => {
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1;
  });
  await page.goto('/auth');
  await page.getByLabel('Email').fill('nobody');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await expect(page.getByText('Password is required')).toBeVisible();

  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill('nobody@');
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Create Account' }).click();
  for (const [field, message] of [
    ['First Name', 'First name is required'],
    ['Last Name', 'Last name is required'],
    ['Email', 'Invalid email address'],
    ['Password', 'Password must be at least 8 characters'],
  ] as const) {
    await expect(page.getByText(message)).toBeVisible();
    await expect(page.getByLabel(field)).toHaveAccessibleDescription(message);
  }
  await expectAccessible(page);
  expect(sent).toBe(0);
});

test('a password that is too common is refused beneath its field', async ({ page }) => {
  const person = newPerson();
  const message = 'This password is too common. Choose a longer or less predictable one.';
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('First Name').fill(person.firstName);
  await page.getByLabel('Last Name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill('Password1');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expectToast(page, 'Signup failed', message);
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription(message);
  await expect(page.getByLabel('Password')).toBeFocused();
});

test('while the answer is on its way the buttons say what is being done', { tag: '@any-theme' }, async ({
  page,
}) => {
  const person = newPerson();
  const signUp = await holdAnswers(page, { method: 'POST', path: '/api/auth/signup' });
  const signIn = await holdAnswers(page, { method: 'POST', path: '/api/auth/login' });
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('First Name').fill(person.firstName);
  await page.getByLabel('Last Name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('button', { name: 'Creating account...' })).toBeDisabled();
  signUp.release();
  await logOut(page);

  await page.getByRole('link', { name: 'Get Started Free' }).click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  signIn.release();
  await expect(page.getByTestId('user-menu')).toBeVisible();
});

test('a refusal is told in the words of the server, and without any in the words of the product', {
  tag: '@any-theme',
}, async ({ page }) => {
  const person = newPerson();
  await page.goto('/auth');
  const login = { method: 'POST', path: '/api/auth/login' };
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  for (const [body, words] of [
    [{ error: 'Too many tries. Wait 5 minutes.' }, 'Too many tries. Wait 5 minutes.'],
    [{}, 'Invalid email or password'],
  ] as const) {
    const answer = await answerWith(page, login, 429, body);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expectToast(page, 'Login failed', words);
    await answer.end();
  }

  await answerWith(page, { method: 'POST', path: '/api/auth/signup' }, 500, {});
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('First Name').fill(person.firstName);
  await page.getByLabel('Last Name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expectToast(page, 'Signup failed', 'Failed to create account');
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
});

test('a wrong password and an unknown address get the same words', { tag: '@any-theme' }, async ({
  page,
  context,
}) => {
  const person = newPerson();
  await post(context, '/api/auth/signup', person);
  await context.clearCookies();
  for (const email of [person.email, `other-${person.email}`]) {
    await page.goto('/auth');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expectToast(page, 'Login failed', 'Invalid email or password');
  }
});

test('an address that has an account is told at sign-up', { tag: '@any-theme' }, async ({
  page,
  context,
}) => {
  const person = newPerson();
  await post(context, '/api/auth/signup', person);
  await context.clearCookies();
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('First Name').fill('A');
  await page.getByLabel('Last Name').fill('B');
  await page.getByLabel('Email').fill(person.email.toUpperCase());
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expectToast(page, 'Signup failed');
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/account/i);
});

test('a sign-out that fails says so and leaves the user signed in', { tag: '@any-theme' }, async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/profile');
  await answerWith(page, { method: 'POST', path: '/api/auth/logout' }, 500, { error: 'Out of order' });
  await logOut(page);
  await expectToast(page, 'Error', 'Failed to log out. Please try again.');
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
});
