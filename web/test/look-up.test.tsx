import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { button, expect, settle, showApp, signedIn, test } from './component-test.tsx';
import { caseResult } from './samples.ts';

const FIRST = 'EAC9999103402';
const SECOND = 'EAC9999103404';

const field = () => page.getByLabelText('Receipt Number', { exact: true });
const card = (receiptNumber: string) => page.getByRole('article', { name: receiptNumber });
async function ask(receiptNumber: string): Promise<void> {
  await field().fill(receiptNumber);
  await button('Check Status').click();
}

test('while the answer is on its way the button rests and the place of the card is kept', async ({ api }) => {
  signedIn(api);
  const asked = api.holds(endpoints.lookUpCase);
  await showApp('/');
  await ask(FIRST);
  await expect.element(button('Checking...')).toBeDisabled();
  const results = page.getByRole('region', { name: 'Results' });
  await expect.element(results).toHaveAttribute('aria-busy', 'true');
  asked[0]?.answer(caseResult(FIRST));
  await expect.element(card(FIRST)).toBeVisible();
  await expect.element(results).toHaveAttribute('aria-busy', 'false');
  await expect.element(button('Check Status')).toBeEnabled();
});

test('the case before is gone while another one is looked up, and stays while it is itself', async ({
  api,
}) => {
  signedIn(api);
  const asked = api.holds(endpoints.lookUpCase);
  await showApp('/');
  await ask(FIRST);
  asked[0]?.answer(caseResult(FIRST));
  await expect.element(card(FIRST)).toBeVisible();

  await button('Check Status').click();
  await expect.poll(() => asked.length).toBe(2);
  await expect.element(button('Checking...')).toBeDisabled();
  await expect.element(card(FIRST)).toBeVisible();
  asked[1]?.answer(caseResult(FIRST, { caseStatus: 'Case Was Approved' }));
  await expect.element(card(FIRST)).toMatchTextContent(/Case Was Approved/);

  await ask(SECOND);
  await expect.poll(() => asked.length).toBe(3);
  await expect.element(button('Checking...')).toBeDisabled();
  await expect.element(card(FIRST)).not.toBeInTheDocument();
  asked[2]?.answer(caseResult(SECOND));
  await expect.element(card(SECOND)).toBeVisible();
});

test('an answer that comes after its screen was left changes nothing', async ({ api }) => {
  signedIn(api);
  const asked = api.holds(endpoints.lookUpCase);
  await showApp('/');
  await ask(FIRST);
  await expect.poll(() => asked.length).toBe(1);
  await page.getByTestId('nav-saved-cases').click();
  await expect.element(page.getByRole('heading', { name: 'Saved Cases', level: 1 })).toBeVisible();
  expect(asked[0]?.aborted).toBe(true);
  await page.getByTestId('nav-home').click();
  asked[0]?.answer(caseResult(FIRST));
  await settle();
  await expect.element(card(FIRST)).not.toBeInTheDocument();
});
