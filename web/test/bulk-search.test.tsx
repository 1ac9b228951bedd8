import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
import { button, expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, PRO_USER } from './samples.ts';

const [FIRST, SECOND, THIRD] = ['EAC0000000001', 'EAC0000000002', 'EAC0000000003'];

const box = () => page.getByLabelText('Receipt Numbers');
const card = (receiptNumber: string) => page.getByRole('article', { name: receiptNumber });

async function showBulkSearch(api: FakeApi): Promise<void> {
  signedIn(api, PRO_USER);
  await showApp('/');
  await page.getByRole('tab', { name: 'Bulk Search' }).click();
}

/** The text color as it is painted: red, green and blue, 0 to 255. */
function channels(element: Element): number[] {
  return (getComputedStyle(element).color.match(/\d+/g) ?? []).slice(0, 3).map(Number);
}

test('bulk search counts, and refuses invalid numbers and more than ten', async ({ api }) => {
  await showBulkSearch(api);
  await expect.element(button('Check 0 Case(s)')).toBeDisabled();
  await box().fill(`${FIRST}\nnonsense`);
  await expect
    .element(page.getByText('1 invalid receipt number(s) (format: 3 letters + 10 digits)'))
    .toBeVisible();
  await expect.element(button('Check 2 Case(s)')).toBeDisabled();
  await expectAccessible();

  const numbers = Array.from({ length: 11 }, (_, at) => `EAC99991034${String(at).padStart(2, '0')}`);
  await box().fill(numbers.slice(1).join('\n'));
  const ten = page.getByText('10 / 10');
  await expect.element(ten).toBeVisible();
  const [red = 0, green = 0, blue = 0] = channels(ten.element());
  expect(Math.abs(red - green) + Math.abs(red - blue)).toBeLessThan(60);
  await expect.element(button('Check 10 Case(s)')).toBeEnabled();
  await box().fill(numbers.join('\n'));
  const eleven = page.getByText('11 / 10');
  await expect.element(eleven).toBeVisible();
  const over = channels(eleven.element());
  expect(over[0]).toBeGreaterThan((over[1] ?? 0) + 80);
  expect(over[0]).toBeGreaterThan((over[2] ?? 0) + 80);
  await expect.element(button('Check 11 Case(s)')).toBeDisabled();
});

test('a failed item shows its number and its error, or the standing words', async ({ api }) => {
  await showBulkSearch(api);
  api.answers(endpoints.lookUpCases, [
    { success: true, receiptNumber: FIRST, data: caseResult(FIRST) },
    { success: false, receiptNumber: SECOND, error: 'The agency is on holiday' },
    { success: false, receiptNumber: THIRD },
  ]);
  await box().fill([FIRST, SECOND, THIRD].join('\n'));
  await button('Check 3 Case(s)').click();
  await expect.element(card(FIRST)).toMatchTextContent('Case Was Received');
  await expect.element(card(SECOND)).toMatchTextContent('The agency is on holiday');
  await expect.element(card(THIRD)).toMatchTextContent('Failed to fetch case status');
});

test('a bulk search that fails says why in the words of the server, else in its own', async ({ api }) => {
  await showBulkSearch(api);
  await box().fill(FIRST);
  for (const [body, words] of [
    [{ error: 'The agency is on holiday' }, 'The agency is on holiday'],
    [{}, 'Failed to fetch bulk case status'],
  ] as const) {
    api.responds(endpoints.lookUpCases, 500, body);
    await button('Check 1 Case(s)').click();
    await expectToast('Error', words);
  }
  api.loses(endpoints.lookUpCases);
  await button('Check 1 Case(s)').click();
  await expectToast('Error', 'Failed to fetch case statuses. Please try again.');
});
