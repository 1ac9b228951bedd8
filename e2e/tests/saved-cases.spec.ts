import { answerWith, holdAnswers, recordCalls, savedCaseAnswer } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, newReceiptNumber, post, test } from '../src/fixtures.ts';
import { caseCard } from '../src/steps.ts';

const LIST = { method: 'GET', path: '/api/saved-cases' };

test('the list says that it is loading, and an empty one what to do', async ({ page, freeUser: _ }) => {
  const list = await holdAnswers(page, LIST);
  await page.goto('/saved-cases');
  await expect(page.getByRole('heading', { name: 'Saved Cases', level: 1 })).toBeVisible();
  await expect(page.getByText('Loading saved cases...')).toBeVisible();
  list.release();
  await expect(page.getByText('No saved cases yet')).toBeVisible();
  await expect(page.getByText('Search for a case and save it')).toBeVisible();
  await expectAccessible(page);
});

test('a card shows when the case was last checked and what was found', async ({ page, freeUser: _ }) => {
  const cases = [
    savedCaseAnswer('EAC9999103403', {
      id: '0198c0de-0000-7000-8000-00000000000a',
      nickname: 'Mine',
      lastCheckedAt: '2026-03-01T15:07:00.000Z',
      lastKnownStatus: 'Case Was Approved',
    }),
    savedCaseAnswer('LIN9999106498', { id: '0198c0de-0000-7000-8000-00000000000b' }),
    savedCaseAnswer('SRC9999102777', {
      id: '0198c0de-0000-7000-8000-00000000000c',
      lastCheckedAt: 'yesterday',
    }),
  ];
  await answerWith(page, LIST, 200, cases);
  await page.goto('/saved-cases');
  const checked = caseCard(page, 'EAC9999103403');
  await expect(checked).toContainText('Mar 1, 2026 3:07 PM');
  await expect(checked.locator('.status-badge')).toHaveText('Case Was Approved');
  await expect(checked.getByRole('button', { name: 'Mine' })).toBeVisible();
  const unchecked = caseCard(page, 'LIN9999106498');
  await expect(unchecked).toContainText('Not checked yet');
  await expect(unchecked).toContainText('Never');
  await expect(unchecked.getByRole('button', { name: 'Add nickname' })).toBeVisible();
  await expect(caseCard(page, 'SRC9999102777')).toContainText('Invalid date');
  await expectAccessible(page);
});

test('a nickname is added, changed with the keyboard alone, and emptied', async ({
  page,
  context,
  freeUser: _,
}) => {
  const receiptNumber = newReceiptNumber();
  const changes = recordCalls(page, { method: 'PATCH', path: `/api/saved-cases/${receiptNumber}` });
  await post(context, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
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

test('a nickname that can not be kept is told, and what was typed stays', { tag: '@any-theme' }, async ({
  page,
  context,
  freeUser: _,
}) => {
  await post(context, '/api/saved-cases', { receiptNumber: newReceiptNumber(), monitoringFrequency: 'none' });
  await page.goto('/saved-cases');
  await answerWith(page, { method: 'PATCH', path: /^\/api\/saved-cases\// }, 500, { error: 'Out of order' });
  await page.getByRole('button', { name: /Add nickname/ }).click();
  const field = page.getByPlaceholder('Add a nickname...');
  await field.fill('Mine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectToast(page, 'Error', 'Failed to update case');
  await expect(field).toHaveValue('Mine');
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
  await page.getByRole('button', { name: `Remove ${receiptNumber}` }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expectToast(page, 'Case removed', 'The case has been removed from your saved list');
  await expect(page.getByText('No saved cases yet')).toBeVisible();
});

test('a removal that fails brings the case back to its place', { tag: '@any-theme' }, async ({
  page,
  context,
  freeUser: _,
}) => {
  const [older, newer] = [newReceiptNumber(), newReceiptNumber()];
  for (const receiptNumber of [older, newer]) {
    await post(context, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
  }
  const call = { method: 'DELETE', path: `/api/saved-cases/${newer}` };
  await answerWith(page, call, 500, { error: 'Out of order' });
  const answer = await holdAnswers(page, call);
  await page.goto('/saved-cases');
  await page.getByRole('button', { name: `Remove ${newer}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(caseCard(page, newer)).toHaveCount(0);
  answer.release();
  await expectToast(page, 'Error', 'Failed to remove case');
  await expect(page.getByRole('article').getByRole('heading')).toHaveText([newer, older]);
});

test('a saved case is checked now, and its details are one step away', { tag: '@any-theme' }, async ({
  page,
  context,
  freeUser: _,
}) => {
  await post(context, '/api/saved-cases', { receiptNumber: 'EAC9999103403', monitoringFrequency: 'none' });
  await page.goto('/saved-cases');
  const card = caseCard(page, 'EAC9999103403');
  await card.getByRole('button', { name: 'Check now' }).click();
  await expect(card.locator('.status-badge')).toHaveText('Case Was Approved');
  await expect(card).toContainText(/[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M/);
  await card.getByRole('link', { name: 'View details' }).click();
  await expect(page.getByRole('heading', { name: 'Case History' })).toBeVisible();
});
