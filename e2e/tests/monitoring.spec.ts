import type { BrowserContext, Page } from '@playwright/test';
import { recordCalls } from '../src/answers.ts';
import { expect, expectAccessible, expectToast, newReceiptNumber, test } from '../src/fixtures.ts';
import { post } from '../src/post.ts';
import type { Product } from '../src/start-product.ts';
import { move } from '../src/steps.ts';

const A_MOMENT = /[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M/;
const UPGRADE_WORDS =
  'Automated Monitoring is a Pro feature. Upgrade to unlock unlimited case tracking and automation.';

const card = (page: Page, receiptNumber: string) => page.getByRole('article', { name: receiptNumber });
const selector = (page: Page, receiptNumber: string) =>
  page.getByLabel(`Monitoring frequency of ${receiptNumber}`);
const changeOf = (receiptNumber: string) => ({ method: 'PATCH', path: `/api/saved-cases/${receiptNumber}` });

/** Saves a new case and opens the list. */
async function openWithCase(page: Page, context: BrowserContext, monitoringFrequency: string) {
  const receiptNumber = newReceiptNumber();
  await post(context.request, '/api/saved-cases', { receiptNumber, monitoringFrequency });
  await page.goto('/saved-cases');
  await expect(selector(page, receiptNumber)).toHaveValue(monitoringFrequency);
  return receiptNumber;
}

test('a pro user sets a case to daily: it is checked at once, and the card says when the next check is', {
  tag: ['@main-flow', '@phone'],
}, async ({ page, context, proUser: _ }) => {
  const receiptNumber = await openWithCase(page, context, 'none');
  const field = selector(page, receiptNumber);
  await expect(field.getByRole('option')).toHaveText(['None', 'Daily', 'Weekly', 'Monthly']);
  await expect(card(page, receiptNumber)).not.toContainText('Next check');
  await field.selectOption('Daily');
  await expectToast(page, 'Updated', 'Case settings have been updated');
  await expect(card(page, receiptNumber)).toContainText(new RegExp(`Next check ${A_MOMENT.source}`));
  await expect(card(page, receiptNumber)).not.toContainText('Not checked yet');
  await expect(card(page, receiptNumber)).not.toContainText('Never');
  await expectAccessible(page);
  await page.reload();
  await expect(field).toHaveValue('daily');
  await expect(card(page, receiptNumber)).toContainText('Next check');

  await field.selectOption('None');
  await expectToast(page, 'Updated', 'Case settings have been updated');
  await expect(card(page, receiptNumber)).not.toContainText('Next check');
});

test('a free user who chooses a frequency is offered the upgrade, and nothing is sent', {
  tag: '@main-flow',
}, async ({ page, context, freeUser: _ }) => {
  const receiptNumber = await openWithCase(page, context, 'none');
  const changes = recordCalls(page, changeOf(receiptNumber));
  const field = selector(page, receiptNumber);
  await field.focus();
  for (const frequency of ['Daily', 'Weekly', 'Monthly']) {
    await field.selectOption(frequency);
    await expect(page.getByRole('dialog')).toContainText(UPGRADE_WORDS);
    await expect(field).toHaveValue('none');
    if (frequency === 'Daily') await expectAccessible(page);
    await page.getByRole('button', { name: 'Maybe Later' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(field).toBeFocused();
  }
  expect(changes).toEqual([]);
  await page.reload();
  await expect(field).toHaveValue('none');
});

test('a case that the agency does not know says so, with its next check', async ({
  page,
  context,
  proUser: _,
}) => {
  // The simulator knows no case that ends in an odd digit.
  const receiptNumber = newReceiptNumber().replace(/\d$/, '5');
  await post(context.request, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'daily' });
  await page.goto('/saved-cases');
  await expect(card(page, receiptNumber)).toContainText('The agency did not recognize this receipt number.');
  await expect(card(page, receiptNumber)).toContainText(new RegExp(`Next check ${A_MOMENT.source}`));
  await expectAccessible(page);
});

test('a case set to daily moves at the agency, and the bell shows it after the scheduled check, once', {
  tag: '@main-flow',
}, async ({ context, page, product, proUser: _ }) => {
  const receiptNumber = newReceiptNumber();
  await move(product, receiptNumber, 'Case Was Received');
  await post(context.request, '/api/saved-cases', { receiptNumber, monitoringFrequency: 'none' });
  await page.goto('/saved-cases');
  await selector(page, receiptNumber).selectOption('Daily');
  await expect(card(page, receiptNumber).getByText('Case Was Received')).toBeVisible();
  await expect(page.getByTestId('notifications-badge')).toHaveCount(0);

  await move(product, receiptNumber, 'Case Was Approved');
  await expect(page.getByTestId('notifications-badge')).toHaveText('1', { timeout: 20_000 });
  // The card follows without a reload.
  await expect(card(page, receiptNumber).getByText('Case Was Approved')).toBeVisible();

  const checksBefore = await callsFor(product, receiptNumber);
  await expect
    .poll(() => callsFor(product, receiptNumber), { timeout: 20_000 })
    .toBeGreaterThan(checksBefore);
  await page.reload();
  await expect(page.getByTestId('notifications-badge')).toHaveText('1');
  await page.getByTestId('notifications-bell').click();
  const item = page.getByTestId('notification-item');
  await expect(item).toHaveCount(1);
  await expect(item).toContainText(receiptNumber);
  await expect(item).toContainText('Case Was Received → Case Was Approved');
  await expectAccessible(page);
});

async function callsFor({ agencyUrl }: Product, receiptNumber: string): Promise<number> {
  const answer = await fetch(`${agencyUrl}/__control/calls?receiptNumber=${receiptNumber}`);
  const { total } = await answer.json();
  return total;
}
