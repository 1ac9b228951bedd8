import { expect, expectToast, newPerson, newReceiptNumber, test } from '../src/fixtures.ts';
import { caseCard, isPhone, receiptField, tabTo } from '../src/steps.ts';

test('the main job is done with the keyboard alone', { tag: '@phone' }, async ({ page }) => {
  const person = newPerson();
  const receiptNumber = newReceiptNumber();
  await page.goto('/');
  await tabTo(page, page.getByRole('link', { name: 'Get Started Free' }));
  await page.keyboard.press('Enter');

  await tabTo(page, page.getByRole('tab', { name: 'Sign Up' }));
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await tabTo(page, page.getByLabel('First Name'));
  for (const text of [person.firstName, person.lastName, person.email, person.password]) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await tabTo(page, page.getByRole('button', { name: 'Create Account' }));
  await page.keyboard.press('Enter');
  await expectToast(page, 'Account created!');

  await tabTo(page, receiptField(page));
  await page.keyboard.type(receiptNumber.toLowerCase());
  await page.keyboard.press('Enter');
  const save = caseCard(page, receiptNumber).getByRole('button', { name: 'Save', exact: true });
  await tabTo(page, save);
  await expect(save).toBeEnabled();
  await page.keyboard.press('Enter');
  await expectToast(page, 'Case saved');

  await page.keyboard.press('Control+Home');
  if (isPhone(page)) await page.keyboard.press('Control+b');
  else await page.getByRole('link', { name: 'Skip to main content' }).focus();
  await tabTo(page, page.getByTestId('nav-saved-cases'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Saved Cases', level: 1 })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: `Remove ${receiptNumber}` }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Remove' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('No saved cases yet')).toBeVisible();
});
