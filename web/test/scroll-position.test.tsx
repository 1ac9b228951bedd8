import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expect, keepsCases, showApp, signedIn, test } from './component-test.tsx';
import { caseResult, savedCase } from './samples.ts';

const NUMBER = 'WAC9999103419';
const cases = Array.from({ length: 30 }, (_, index) => savedCase(`WAC99991034${10 + index}`));
const click = (element: Element) => element instanceof HTMLElement && element.click();
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

test('a link leads to the top of its page, and back in the history is where the page was left', async ({
  api,
}) => {
  signedIn(api);
  keepsCases(api, cases);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER));
  await showApp('/saved-cases', { withBack: true });
  const link = page.getByRole('link', { name: NUMBER });
  await expect.element(link).toBeVisible();
  window.scrollTo({ top: 900, behavior: 'instant' });
  await expect.poll(() => window.scrollY).toBe(900);
  // The place is remembered when the browser tells that it has changed.
  await new Promise(requestAnimationFrame);
  click(link.element());
  await expect.element(heading(NUMBER)).toBeVisible();
  expect(window.scrollY).toBe(0);
  click(page.getByRole('button', { name: 'Back in history' }).element());
  await expect.element(heading('Saved Cases')).toBeVisible();
  await expect.poll(() => window.scrollY).toBe(900);
});
