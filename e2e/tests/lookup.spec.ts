import { agency, expect, expectAccessible, expectToast, newReceiptNumber, test } from '../src/fixtures.ts';

const submit = /^(check status|check case status|check)$/i;

test('a free user looks a case up, reads it, saves it and finds it again', async ({ page, freeUser: _ }) => {
  await page.goto('/');
  await expect(page.getByText('Check Case Status').first()).toBeVisible();
  const input = page.getByLabel(/receipt number/i).first();
  await input.fill('eac9999103403');
  await expect(input).toHaveValue('EAC9999103403');
  await page.getByRole('button', { name: submit }).click();
  const card = page.getByRole('article').filter({ hasText: 'EAC9999103403' });
  await expect(card).toContainText('I-130');
  await expect(card).toContainText('Case Was Approved');
  await expect(card.getByRole('heading', { name: /history/i })).toBeVisible();
  await expectAccessible(page);

  await card.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'You can now monitor this case for status changes');
  await expect(card.getByRole('button', { name: 'Saved' })).toBeVisible();

  await page.goto('/saved-cases');
  await expect(page.getByText('EAC9999103403')).toBeVisible();
  await page.reload();
  await expect(page.getByText('EAC9999103403')).toBeVisible();

  await page.goto('/');
  await page
    .getByLabel(/receipt number/i)
    .first()
    .fill('EAC9999103403');
  await page.getByRole('button', { name: submit }).click();
  await card.getByRole('button', { name: 'Saved' }).click();
  await expectToast(page, 'Case has been removed from your saved list');
  await expect(card.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
});

test('the button waits for five characters; a wrong number is told', async ({ page, freeUser: _ }) => {
  await page.goto('/');
  const button = page.getByRole('button', { name: submit });
  await page
    .getByLabel(/receipt number/i)
    .first()
    .fill('EAC9');
  await expect(button).toBeDisabled();
  await page
    .getByLabel(/receipt number/i)
    .first()
    .fill('EAC99');
  await expect(button).toBeEnabled();
  await button.click();
  await expect(page.getByText('Invalid receipt number format').first()).toBeVisible();
});

test('a number the agency does not recognise is said so, without inventing a status', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/');
  await page
    .getByLabel(/receipt number/i)
    .first()
    .fill('WAC1234567891');
  await page.getByRole('button', { name: submit }).click();
  await expect(
    page.getByText(/not recogni[sz]ed?|did not recogni[sz]e|does not recogni[sz]e/i).first(),
  ).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
  await expectAccessible(page);
});

test('a failure of the agency is told, and an older answer is shown with its age', async ({
  page,
  request,
  freeUser: _,
}) => {
  const receiptNumber = newReceiptNumber();
  await request.put(`${agency()}/__control/faults`, {
    data: { mode: 'unavailable', receiptNumber, count: 50 },
  });
  await page.goto('/');
  await page
    .getByLabel(/receipt number/i)
    .first()
    .fill(receiptNumber);
  await page.getByRole('button', { name: submit }).click();
  await expect(page.getByText(/temporarily unavailable/i).first()).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
});

test('a free user who selects Bulk Search is offered the upgrade and stays where he is', async ({
  page,
  freeUser: _,
}) => {
  await page.goto('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(
    'Bulk Search is a Pro feature. Upgrade to unlock unlimited case tracking and automation.',
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Maybe Later' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Single Case' })).toHaveAttribute('aria-selected', 'true');
});

test('a pro user looks up several at once; one bad case fails alone', async ({ page, proUser: _ }) => {
  await page.goto('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  const box = page.getByRole('textbox');
  await box.fill('eac9999103403\n\nLIN9999106498\nWAC1234567891');
  await expect(page.getByText('3 / 10')).toBeVisible();
  await page.getByRole('button', { name: 'Check 3 Case(s)' }).click();
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(3);
  await expect(cards.nth(0)).toContainText('EAC9999103403');
  await expect(cards.nth(1)).toContainText('LIN9999106498');
  await expect(cards.nth(2)).toContainText('WAC1234567891');
  await expectAccessible(page);
});

test('bulk search counts, and refuses invalid numbers and more than ten', async ({ page, proUser: _ }) => {
  await page.goto('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
  const box = page.getByRole('textbox');
  await expect(page.getByRole('button', { name: 'Check 0 Case(s)' })).toBeDisabled();
  await box.fill('EAC9999103403\nnonsense');
  await expect(page.getByText('1 invalid receipt number(s) (format: 3 letters + 10 digits)')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check 2 Case(s)' })).toBeDisabled();
  await box.fill(
    Array.from({ length: 11 }, (_, index) => `EAC99991034${String(index).padStart(2, '0')}`).join('\n'),
  );
  await expect(page.getByText('11 / 10')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check 11 Case(s)' })).toBeDisabled();
});
