import { recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, newReceiptNumber, test } from '../src/fixtures.ts';
import { caseCard, checkButton, goTo, lookUp, receiptField } from '../src/steps.ts';

const SAVE = { method: 'POST', path: '/api/saved-cases' };

test('a free user looks a case up, reads it, saves it and finds it again', {
  tag: ['@main-flow', '@phone'],
}, async ({ page, freeUser: _ }) => {
  await page.goto('/');
  await expect(page.getByText('Track your immigration application status in real time')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Check Case Status' })).toBeVisible();
  await expect(page.getByText('Format: 3 letters followed by 10 numbers')).toBeVisible();
  await expect(page.getByText(/unofficial tool/)).toBeVisible();
  const officialSite = page.getByRole('link', { name: 'USCIS Case Status website' });
  await expect(officialSite).toHaveAttribute('href', /^https:\/\/egov\.uscis\.gov/);
  await receiptField(page).fill('  eac9999103403 ');
  await expect(receiptField(page)).toHaveValue('EAC9999103403');
  await checkButton(page).click();
  const card = caseCard(page, 'EAC9999103403');
  await expect(card).toContainText('I-130');
  await expect(card).toContainText('Case Was Approved');
  await expect(card.getByRole('heading', { name: 'Case history' })).toBeVisible();
  await expectAccessible(page);

  const saves = recordCalls(page, SAVE);
  await card.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Case saved', 'You can now monitor this case for status changes');
  await expect(card.getByRole('button', { name: 'Saved' })).toBeVisible();
  expect(saves[0]?.postDataJSON()).toEqual({ receiptNumber: 'EAC9999103403', monitoringFrequency: 'none' });

  await goTo(page, 'nav-saved-cases');
  await expect(caseCard(page, 'EAC9999103403')).toBeVisible();
  await page.reload();
  await expect(caseCard(page, 'EAC9999103403')).toBeVisible();

  await goTo(page, 'nav-home');
  await lookUp(page, 'EAC9999103403');
  await card.getByRole('button', { name: 'Saved' }).click();
  await expectToast(page, 'Case removed', 'Case has been removed from your saved list');
  await expect(card.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
});

test('a failure of the agency is shown, and trying again brings the status', { tag: '@phone' }, async ({
  page,
  request,
  product,
  freeUser: _,
}) => {
  const receiptNumber = newReceiptNumber();
  // One lookup makes two attempts before it fails.
  await request.put(`${product.agencyUrl}/__control/faults`, {
    data: { mode: 'unavailable', receiptNumber, count: 2 },
  });
  await page.goto('/');
  await lookUp(page, receiptNumber);
  await expect(page.locator('.toast-card')).toContainText(/temporarily unavailable/i);
  const notice = page.getByRole('region', { name: 'Status not available right now' });
  await expect(notice).toContainText(/temporarily unavailable/i);
  await expect(page.getByRole('article')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(caseCard(page, receiptNumber)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('an older answer is shown with its age while the agency gives none', async ({
  page,
  request,
  product,
  freeUser: _,
}) => {
  const receiptNumber = newReceiptNumber();
  await page.goto('/');
  await lookUp(page, receiptNumber);
  const card = caseCard(page, receiptNumber);
  const status = await card.locator('.status-badge').innerText();
  await request.put(`${product.agencyUrl}/__control/faults`, {
    data: { mode: 'invalid-json', receiptNumber },
  });
  await checkButton(page).click();
  await expect(card).toContainText(/As of [A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M \(just now\)/);
  await expect(card).toContainText(/temporarily unavailable/i);
  await expect(card.locator('.status-badge')).toHaveText(status);
  await expectAccessible(page);
  await request.put(`${product.agencyUrl}/__control/faults`, { data: { mode: 'none', receiptNumber } });
  await checkButton(page).click();
  // The agency's own words may begin with "As of", too.
  await expect(card).not.toContainText(/As of [A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M/);
});
