import { answerWith, caseAnswer, loseConnection } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, test } from '../src/fixtures.ts';
import { caseCard, lookUpSeveral } from '../src/steps.ts';

const BULK = { method: 'POST', path: '/api/case-status/bulk' };

test('a pro user looks up several at once; one bad case fails alone', async ({ page, proUser: _ }) => {
  await page.goto('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  const box = page.getByLabel('Receipt Numbers');
  await box.fill(' eac9999103403 \n\nLIN9999106498\nWAC1234567891');
  await expect(box).toHaveValue(/EAC9999103403/);
  await expect(page.getByText('3 / 10')).toBeVisible();
  await page.getByRole('button', { name: 'Check 3 Case(s)' }).click();
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(3);
  await expect(cards.nth(0)).toContainText('EAC9999103403');
  await expect(cards.nth(1)).toContainText('LIN9999106498');
  await expect(cards.nth(2)).toContainText('WAC1234567891');
  await expect(cards.nth(2)).toContainText(/not recogni[sz]e/i);
  await expectAccessible(page);

  const first = caseCard(page, 'EAC9999103403');
  const history = first.getByRole('button', { name: /Case History/ });
  await expect(first.locator('ol')).toBeHidden();
  await history.click();
  await expect(first.locator('ol')).toBeVisible();
  await expect(history).toHaveAttribute('aria-expanded', 'true');
  await history.click();
  await expect(first.locator('ol')).toBeHidden();

  await page.getByRole('button', { name: 'Remove LIN9999106498 from the results' }).click();
  await expect(cards).toHaveCount(2);
  await expect(page.getByText('LIN9999106498', { exact: true })).toHaveCount(0);
});

test('bulk search counts, and refuses invalid numbers and more than ten', async ({ page, proUser: _ }) => {
  await page.goto('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  const box = page.getByLabel('Receipt Numbers');
  await expect(page.getByRole('button', { name: 'Check 0 Case(s)' })).toBeDisabled();
  await box.fill('EAC9999103403\nnonsense');
  await expect(page.getByText('1 invalid receipt number(s) (format: 3 letters + 10 digits)')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check 2 Case(s)' })).toBeDisabled();
  await expectAccessible(page);

  const numbers = Array.from({ length: 11 }, (_, at) => `EAC99991034${String(at).padStart(2, '0')}`);
  await box.fill(numbers.slice(1).join('\n'));
  const ten = page.getByText('10 / 10');
  const [red, green, blue] = await channels(ten);
  expect(Math.abs(red - green) + Math.abs(red - blue)).toBeLessThan(60);
  await expect(page.getByRole('button', { name: 'Check 10 Case(s)' })).toBeEnabled();
  await box.fill(numbers.join('\n'));
  const eleven = page.getByText('11 / 10');
  await expect(eleven).toBeVisible();
  const over = await channels(eleven);
  expect(over[0]).toBeGreaterThan(over[1] + 80);
  expect(over[0]).toBeGreaterThan(over[2] + 80);
  await expect(page.getByRole('button', { name: 'Check 11 Case(s)' })).toBeDisabled();
});

test('a failed item shows its number and its error, or the standing words', { tag: '@any-theme' }, async ({
  page,
  proUser: _,
}) => {
  await answerWith(page, BULK, 200, [
    { success: true, receiptNumber: 'EAC0000000001', data: caseAnswer('EAC0000000001') },
    { success: false, receiptNumber: 'EAC0000000002', error: 'The agency is on holiday' },
    { success: false, receiptNumber: 'EAC0000000003' },
  ]);
  await page.goto('/');
  await lookUpSeveral(page, ['EAC0000000001', 'EAC0000000002', 'EAC0000000003']);
  await expect(caseCard(page, 'EAC0000000001')).toContainText('Case Was Received');
  await expect(caseCard(page, 'EAC0000000002')).toContainText('The agency is on holiday');
  await expect(caseCard(page, 'EAC0000000003')).toContainText('Failed to fetch case status');
});

test('a bulk search that fails says why in the words of the server, else in its own', {
  tag: '@any-theme',
}, async ({ page, proUser: _ }) => {
  await page.goto('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  for (const [body, words] of [
    [{ error: 'The agency is on holiday' }, 'The agency is on holiday'],
    [{}, 'Failed to fetch bulk case status'],
  ] as const) {
    const fault = await answerWith(page, BULK, 500, body);
    await lookUpSeveral(page, ['EAC9999103403']);
    await expectToast(page, 'Error', words);
    await fault.end();
  }
  await loseConnection(page, BULK);
  await lookUpSeveral(page, ['EAC9999103403']);
  await expectToast(page, 'Error', 'Failed to fetch case statuses. Please try again.');
});

/** The text colour as it is painted: red, green and blue, 0 to 255. */
async function channels(element: import('@playwright/test').Locator): Promise<[number, number, number]> {
  const colour = await element.evaluate((node) => getComputedStyle(node).color);
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  return [red, green, blue];
}
