import { expect, expectAccessible, expectToast, newPerson, test } from '../src/fixtures.ts';
import { post } from '../src/post.ts';
import { logOut, receiptField } from '../src/steps.ts';

test('a new user signs up, logs out and logs in again', { tag: ['@main-flow', '@phone'] }, async ({
  page,
}) => {
  const person = newPerson();
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started Free' }).click();
  await expect(page).toHaveURL(/\/auth#sign-up$/);
  await expect(page.getByRole('heading', { name: 'Immigration Case Status', level: 1 })).toBeVisible();
  await page.getByRole('tab', { name: 'Sign In' }).click();
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
  await expect(page).toHaveURL('/');
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
  await expect(page).toHaveURL('/');
  await expectToast(page, 'Welcome back!', 'You have successfully logged in.');
  await expect(page.getByRole('heading', { name: 'Immigration Case Status' })).toBeVisible();
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

test('an address that has an account is reported at sign-up', async ({ page, context }) => {
  const person = newPerson();
  await post(context.request, '/api/auth/signup', person);
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

test('a link to the sign-in leads to a page of the app, or to the start page where it asks for anything else', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/auth?next=/saved-cases%3Fview%3Dtable');
  await expect(page).toHaveURL('/saved-cases?view=table');
  for (const next of [
    '/.//evil.example',
    '/..//evil.example',
    '/%252e//evil.example',
    '/a/..//evil.example',
    '//x',
  ]) {
    await page.goto(`/auth?next=${next}`);
    await expect(page).toHaveURL('/');
    await expect(receiptField(page)).toBeVisible();
  }
});
