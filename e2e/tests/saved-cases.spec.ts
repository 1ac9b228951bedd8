import { recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, newReceiptNumber, test } from '../src/fixtures.ts';
import { post } from '../src/post.ts';
import { caseCard } from '../src/steps.ts';

test('a nickname is added, changed with the keyboard alone, and emptied', async ({
  page,
  context,
  freeUser: _,
}) => {
  const receiptNumber = newReceiptNumber();
  const changes = recordCalls(page, { method: 'PATCH', path: `/api/saved-cases/${receiptNumber}` });
  await post(context.request, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
  await page.goto('/saved-cases');
  await page.getByRole('button', { name: /Add nickname/ }).press('Enter');
  const field = page.getByPlaceholder('Add a nickname...');
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.fill("Mum's green card");
  await field.press('Enter');
  await expectToast(page, 'Updated', 'Case settings have been updated');
  await page.reload();
  const nickname = page.getByRole('button', { name: /Mum's green card/ });
  for (const leave of [
    () => field.press('Escape'),
    () => page.getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await nickname.click();
    await field.fill('something else');
    await leave();
    await expect(nickname).toBeFocused();
  }
  await nickname.click();
  await field.fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: /Add nickname/ })).toBeVisible();
  expect(changes.map((change) => change.postDataJSON())).toEqual([
    { nickname: "Mum's green card" },
    { nickname: null },
  ]);
});

test('a very long nickname does not break the page', { tag: '@phone' }, async ({
  page,
  context,
  freeUser: _,
}) => {
  const nickname = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 100);
  await post(context.request, '/api/saved-cases', {
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
  await post(context.request, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
  await page.goto('/saved-cases');
  await page.getByRole('button', { name: `Remove ${receiptNumber}` }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expectToast(page, 'Case removed', 'The case has been removed from your saved list');
  await expect(page.getByText('No saved cases yet')).toBeVisible();
});

test('a saved case is checked now, and its details are one step further', async ({
  page,
  context,
  freeUser: _,
}) => {
  await post(context.request, '/api/saved-cases', {
    receiptNumber: 'EAC9999103403',
    monitoringFrequency: 'none',
  });
  await page.goto('/saved-cases');
  const card = caseCard(page, 'EAC9999103403');
  await card.getByRole('button', { name: 'Check now' }).click();
  await expect(card.locator('.status-badge')).toHaveText('Case Was Approved');
  await expect(card).toContainText(/[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M/);
  await card.getByRole('button', { name: 'More about EAC9999103403' }).click();
  await card.getByRole('link', { name: 'View details' }).click();
  await expect(page.getByRole('heading', { name: 'Case history' })).toBeVisible();
});

test('many cases are found, archived, undone, removed and restored in the table, and the address says what is shown', async ({
  page,
  context,
  proUser: _,
}) => {
  // More than are shown without search and a table.
  const numbers = Array.from({ length: 6 }, newReceiptNumber);
  for (const receiptNumber of numbers) {
    await post(context.request, '/api/saved-cases', {
      receiptNumber,
      monitoringFrequency: 'none',
      nickname: `Client ${receiptNumber}`,
      tags: ['Family'],
    });
  }
  await page.goto('/saved-cases');
  await page.getByRole('button', { name: 'Table' }).click();
  const row = (receiptNumber: string) => page.getByRole('row').filter({ hasText: receiptNumber });
  await page.getByRole('button', { name: 'Nickname' }).click();
  await expect(page).toHaveURL(/sort=nickname&order=asc/);
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await expect(page.getByText('All of your cases are in the archive')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  for (const receiptNumber of numbers) await expect(row(receiptNumber)).toBeVisible();

  const [first = ''] = numbers;
  await page.getByLabel('Search your cases').fill(first);
  await expect(row(first)).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`search=${first}`));
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);

  await page.getByRole('checkbox', { name: `Select ${first}` }).check();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(row(first)).toHaveCount(0);
  await page.getByRole('button', { name: 'Recently removed' }).click();
  await page.getByRole('button', { name: `Restore ${first}` }).click();
  await page.keyboard.press('Escape');
  await expect(row(first)).toContainText(`Client ${first}`);
  await expect(row(first)).toContainText('Family');
});
