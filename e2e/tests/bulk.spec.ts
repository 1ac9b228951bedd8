import { expect, expectAccessible, test } from '../src/fixtures.ts';
import { caseCard } from '../src/steps.ts';

test('a pro user looks up several at once; one bad case fails alone', { tag: '@phone' }, async ({
  page,
  proUser: _,
}) => {
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
  const history = first.getByRole('button', { name: /Case history/ });
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
