import { expect, expectAccessible, newPerson, newReceiptNumber, test } from '../src/fixtures.ts';
import { caseCard, lookUp, move } from '../src/steps.ts';

const status = (page: import('@playwright/test').Page) => page.getByRole('region', { name: 'Status' });

test('a shared link leads through the sign-up to the case, and survives reload, back and forward', {
  tag: ['@main-flow', '@phone'],
}, async ({ page, product }) => {
  const person = newPerson();
  const receiptNumber = newReceiptNumber();
  await move(product, receiptNumber, 'Interview Was Scheduled');
  await page.goto(`/cases/${receiptNumber}`);
  await expect(page.getByText(`Sign in or sign up to open case ${receiptNumber}.`)).toBeVisible();
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('First Name').fill(person.firstName);
  await page.getByLabel('Last Name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create Account' }).click();

  await expect(page).toHaveURL(`/cases/${receiptNumber}`);
  await expect(page.getByRole('heading', { name: receiptNumber, level: 1 })).toBeFocused();
  await expect(status(page)).toContainText('Interview Was Scheduled');
  await expect(page.getByTestId('needs-action')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What this means' })).toContainText(
    'There is a date for your interview.',
  );
  await expect(page).toHaveTitle(`Interview Was Scheduled · ${receiptNumber} | Casewatch`);
  await expectAccessible(page);
  await page.reload();
  await expect(status(page)).toContainText('Interview Was Scheduled');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(status(page)).toBeVisible();
  await page.emulateMedia({ media: 'screen' });

  await page.goto('/');
  await lookUp(page, receiptNumber);
  await caseCard(page, receiptNumber).getByRole('link', { name: receiptNumber }).click();
  await expect(status(page)).toContainText('Interview Was Scheduled');
  await page.goBack();
  await expect(caseCard(page, receiptNumber)).toBeVisible();
  await page.goForward();
  await expect(status(page)).toBeVisible();
  await page.goBack();
  await page.reload();
  await expect(caseCard(page, receiptNumber)).toBeVisible();
});

test('an expired session asks for the password again, over the same screen', { tag: '@phone' }, async ({
  page,
  context,
  freeUser,
}) => {
  await page.goto('/');
  await page.getByLabel('Receipt Number', { exact: true }).fill('EAC9999103403');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Check Status' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog.getByLabel('Email')).toHaveValue(freeUser.email);
  await expectAccessible(page);
  await dialog.getByLabel('Password').fill(freeUser.password);
  await dialog.getByRole('button', { name: 'Sign In' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Receipt Number', { exact: true })).toHaveValue('EAC9999103403');
  await expect(caseCard(page, 'EAC9999103403')).toBeVisible();
});
