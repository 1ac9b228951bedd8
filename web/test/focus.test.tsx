import { vi } from 'vitest';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import {
  button,
  expect,
  expectToast,
  keepsCases,
  settle,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import { caseResult, savedCase } from './samples.ts';

const [NEWER, OLDER] = ['WAC0000000004', 'WAC0000000002'];
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

test('after a case is removed the focus is on the list, and on the page when it was the last one', async ({
  api,
}) => {
  signedIn(api);
  keepsCases(api, [savedCase(NEWER), savedCase(OLDER)]);
  api.answers(endpoints.removeSavedCase, undefined);
  await showApp('/saved-cases');
  for (const [receiptNumber, left] of [
    [NEWER, [savedCase(OLDER)]],
    [OLDER, []],
  ] as const) {
    await button(`Remove ${receiptNumber}`).click();
    keepsCases(api, [...left]);
    await button('Remove').click();
    await expectToast('Case removed');
    await expect.element(page.getByRole('article', { name: receiptNumber })).not.toBeInTheDocument();
    await settle();
    expect(document.activeElement).not.toBe(document.body);
    expect(document.querySelector('#main')?.contains(document.activeElement)).toBe(true);
  }
});

test('after signing out the focus is on the heading of the landing page, at the start', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.lookUpCase, caseResult(NEWER));
  api.answers(endpoints.logOut, { ok: true });
  await showApp(`/cases/${NEWER}`);
  await expect.element(heading(NEWER)).toBeVisible();
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect.element(heading('Track Your Immigration Case with Confidence')).toHaveFocus();
});

test('on a direct load the heading of the screen has the focus', async ({ api }) => {
  signedIn(api);
  await showApp('/saved-cases');
  await expect.element(heading('Saved Cases')).toHaveFocus();
});

test('a check without a connection says what is wrong and what to do', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(NEWER)]);
  api.loses(endpoints.lookUpCase);
  await showApp('/saved-cases');
  await button('Check now').click();
  await expectToast(
    'Error',
    'Failed to fetch case status. Please try again. Check your internet connection.',
  );
});

test('a check on a device that is offline says so', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(NEWER)]);
  api.loses(endpoints.lookUpCase);
  await showApp('/saved-cases');
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await button('Check now').click();
  await expectToast(
    'Error',
    'Failed to fetch case status. Please try again. This device is offline. What is shown here stays as it is until you are connected again.',
  );
  online.mockRestore();
});
