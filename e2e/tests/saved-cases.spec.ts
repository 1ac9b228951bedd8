import { expect, expectAccessible, expectToast, newReceiptNumber, post, test } from '../src/fixtures.ts';

test('the empty list says what to do', async ({ page, freeUser: _ }) => {
  await page.goto('/saved-cases');
  await expect(page.getByRole('heading', { name: 'Saved Cases', level: 1 })).toBeVisible();
  await expect(page.getByText('No saved cases yet')).toBeVisible();
  await expectAccessible(page);
});

test('a nickname is added, changed with the keyboard alone, and emptied', async ({
  page,
  context,
  freeUser: _,
}) => {
  await post(context, '/api/saved-cases', { receiptNumber: newReceiptNumber(), monitoringFrequency: 'none' });
  await page.goto('/saved-cases');
  await page.getByRole('button', { name: /Add nickname/ }).press('Enter');
  const field = page.getByPlaceholder('Add a nickname...');
  await expect(field).toBeFocused();
  await field.fill("Mum's green card");
  await field.press('Enter');
  await expectToast(page, 'Case settings have been updated');
  await page.reload();
  await page.getByRole('button', { name: /Mum's green card/ }).click();
  await field.fill('something else');
  await field.press('Escape');
  await page.getByRole('button', { name: /Mum's green card/ }).click();
  await field.fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: /Add nickname/ })).toBeVisible();
});

test('a very long nickname does not break the page', async ({ page, context, freeUser: _ }) => {
  const nickname = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 100);
  await post(context, '/api/saved-cases', {
    receiptNumber: newReceiptNumber(),
    monitoringFrequency: 'none',
    nickname,
  });
  await page.goto('/saved-cases');
  await expect(page.getByText(nickname)).toBeVisible();
  await expectAccessible(page);
});

test('a case is removed after a question', async ({ page, context, freeUser: _ }) => {
  const receiptNumber = newReceiptNumber();
  await post(context, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
  await page.goto('/saved-cases');
  await expect(page.getByText('Not checked yet')).toBeVisible();
  await expect(page.getByText('Never')).toBeVisible();
  await page.getByRole('button', { name: /delete|remove/i }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /delete|remove/i })
    .click();
  await expectToast(page, 'The case has been removed from your saved list');
  await expect(page.getByText('No saved cases yet')).toBeVisible();
});

test('the fourth save of a free user offers the upgrade', async ({ page, context, freeUser: _ }) => {
  for (const receiptNumber of ['WAC0000000000', 'WAC0000000002', 'WAC0000000004']) {
    await post(context, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
  }
  await page.goto('/');
  await page
    .getByLabel(/receipt number/i)
    .first()
    .fill('EAC9999103403');
  await page
    .getByLabel(/receipt number/i)
    .first()
    .press('Enter');
  await page.getByRole('article').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Saving more than 3 cases is a Pro feature.');
});
