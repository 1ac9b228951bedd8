import { expect, expectAccessible, expectToast, newPerson, post, product, test } from '../src/fixtures.ts';

test('a stranger signs up, signs out and signs in again', async ({ page }) => {
  const person = newPerson();
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started Free' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Sign in to check your immigration case status')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('First Name').fill(person.firstName);
  await page.getByLabel('Last Name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await expect(page.getByLabel('Password')).toHaveAttribute('placeholder', 'Minimum 8 characters');
  await page.getByLabel('Password').fill(person.password);
  await page.getByLabel('Role (Optional)').fill('Applicant');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page).toHaveURL(`${product()}/`);
  await expectToast(page, 'Account created!');
  await expectToast(page, 'Your account has been successfully created.');

  await page.getByRole('button', { name: /account menu|user menu/i }).click();
  for (const fact of [person.firstName, person.lastName, person.email, 'Applicant']) {
    await expect(page.getByRole('banner')).toContainText(fact);
  }
  await page.getByText('Log out').click();
  await expectToast(page, 'You have been successfully logged out.');
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();

  await page.goto('/auth');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expectToast(page, 'Welcome back!');
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
  for (const message of [
    'First name is required',
    'Last name is required',
    'Invalid email address',
    'Password must be at least 8 characters',
  ]) {
    await expect(page.getByText(message)).toBeVisible();
  }
  await expectAccessible(page);
  expect(sent).toBe(0);
});

test('a wrong password and an unknown address get the same words', async ({ page, context }) => {
  const person = newPerson();
  await post(context, '/api/auth/signup', person);
  await context.clearCookies();
  for (const email of [person.email, `other-${person.email}`]) {
    await page.goto('/auth');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expectToast(page, 'Login failed');
    await expectToast(page, 'Invalid email or password');
  }
});

test('an address that has an account is told at sign-up', async ({ page, context }) => {
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
});

test('signing out in one tab signs the other out too', async ({ page, context, freeUser }) => {
  await page.goto('/saved-cases');
  const other = await context.newPage();
  await other.goto('/profile');
  await expect(other.getByText(freeUser.email).first()).toBeVisible();
  await page.getByRole('button', { name: /account menu|user menu/i }).click();
  await page.getByText('Log out').click();
  await expect(page.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'Get Started Free' })).toBeVisible();
  await expect(other.getByText(freeUser.email)).toHaveCount(0);
});
