import { onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { notifyOtherTabs } from '../src/api/other-tabs.ts';
import { SESSION_CHANNEL } from '../src/config/product.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  choose,
  expect,
  expectToast,
  keepsCases,
  settle,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import { caseResult, FREE_USER, savedCase } from './samples.ts';

const MINUTE_MS = 60_000;

const landing = () => page.getByRole('link', { name: 'Get Started Free' });
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
const passTime = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
};
/** As a browser reports it when a tab comes to the front again. */
const lookAtTab = () => {
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  window.dispatchEvent(new Event('focus'));
};
async function logOut(): Promise<void> {
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

test('until the session is known, the page says that it is loading', async ({ api }) => {
  signedIn(api);
  const asked = api.holds(endpoints.getMe);
  await showApp('/saved-cases');
  await expect.element(page.getByText('Loading...')).toBeVisible();
  asked[0]?.answer(FREE_USER);
  await expect.element(heading('Saved Cases')).toBeVisible();
});

test('an unreachable server is reported, with a way to try again', async ({ api }) => {
  signedIn(api);
  api.loses(endpoints.getMe);
  await showApp('/saved-cases');
  await expect.element(heading('We can’t reach the server')).toBeVisible();
  api.answers(endpoints.getMe, FREE_USER);
  await button('Try again').click();
  await expect.element(heading('Saved Cases')).toBeVisible();
});

test('signing out cancels a pending read of the session: its late answer does not sign in again', async ({
  api,
}) => {
  signedIn(api);
  await showApp('/saved-cases');
  await expect.element(heading('Saved Cases')).toBeVisible();
  passTime(6 * MINUTE_MS);
  const asked = api.holds(endpoints.getMe);
  await page.getByTestId('nav-home').click();
  await expect.poll(() => asked.length).toBe(1);

  api.answers(endpoints.logOut, { ok: true });
  await logOut();
  await expect.element(landing()).toBeVisible();
  asked[0]?.answer(FREE_USER);
  await settle();
  await expect.element(landing()).toBeVisible();
  await expect.element(page.getByTestId('user-menu')).not.toBeInTheDocument();
});

test('a change of the profile that is answered after signing out does not sign in again', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPrices, []);
  await showApp('/profile');
  await button('Edit name and role').click();
  const changes = api.holds(endpoints.changeProfile);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => changes.length).toBe(1);

  api.answers(endpoints.logOut, { ok: true });
  await logOut();
  await expect.element(landing()).toBeVisible();
  changes[0]?.answer(FREE_USER);
  await settle();
  await expect.element(landing()).toBeVisible();
});

test('the session is read once in five minutes, and nothing is read again when the tab gets the focus', async ({
  api,
}) => {
  signedIn(api);
  await showApp('/saved-cases');
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  passTime(6 * MINUTE_MS);
  lookAtTab();
  await settle();
  expect([api.count(endpoints.getMe), api.count(endpoints.listSavedCasesPage)]).toEqual([1, 1]);

  await page.getByTestId('nav-home').click();
  await expect.poll(() => api.count(endpoints.getMe)).toBe(2);
  await page.getByTestId('nav-saved-cases').click();
  await expect.element(heading('Saved Cases')).toBeVisible();
  expect([api.count(endpoints.getMe), api.count(endpoints.listSavedCasesPage)]).toEqual([2, 1]);
});

test('the session is read again after exactly five minutes', async ({ api }) => {
  signedIn(api);
  // A clock that stands still: `passTime` moves it, and the limit is passed by what the test takes.
  const startedMs = Date.now();
  vi.setSystemTime(startedMs);
  await showApp('/saved-cases');
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  vi.setSystemTime(startedMs + 5 * MINUTE_MS - 1);
  await page.getByTestId('nav-home').click();
  await expect.element(heading('Immigration Case Status')).toBeVisible();
  await settle();
  expect(api.count(endpoints.getMe)).toBe(1);

  vi.setSystemTime(startedMs + 5 * MINUTE_MS);
  await page.getByTestId('nav-saved-cases').click();
  await expect.element(heading('Saved Cases')).toBeVisible();
  await expect.poll(() => api.count(endpoints.getMe)).toBe(2);
});

test('a toast goes with its user when another tab signs out and another user in', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase('WAC0000000004')]);
  api.answers(endpoints.removeSavedCase, undefined);
  await showApp('/saved-cases');
  await button('Remove WAC0000000004').click();
  keepsCases(api, []);
  await button('Remove').click();
  await expect.element(button('Undo')).toBeVisible();

  const other = { ...FREE_USER, id: '0198c0de-0000-7000-8000-000000000002', firstName: 'Zoe' };
  signedIn(api, other);
  notifyOtherTabs(null);
  notifyOtherTabs(other.id);
  await expect.poll(() => page.getByTestId('user-menu').element().textContent).toMatch(/^Z/);
  // At once: by itself it goes too.
  expect(document.querySelectorAll('.toast-card')).toHaveLength(0);

  api.answers(endpoints.logOut, { ok: true });
  await logOut();
  await expectToast('Logged out');
});

test('what a user began is not reported to the next one, who could undo it, and goes no further', async ({
  api,
}) => {
  signedIn(api);
  localStorage.setItem('casewatch-saved-cases-view', 'table');
  keepsCases(
    api,
    Array.from({ length: 501 }, (_, nth) => savedCase(`SRC${2_190_000_000 + nth}`)),
  );
  await showApp('/saved-cases');
  await page.getByRole('checkbox', { name: 'Select all shown' }).click();
  const changes = api.holds(endpoints.changeSavedCases);
  await choose('More', 'Archive');
  await expect.poll(() => changes.length).toBe(1);

  const other = { ...FREE_USER, id: '0198c0de-0000-7000-8000-000000000002', firstName: 'Zoe' };
  signedIn(api, other);
  notifyOtherTabs(null);
  notifyOtherTabs(other.id);
  await expect.poll(() => page.getByTestId('user-menu').element().textContent).toMatch(/^Z/);
  changes[0]?.answer({ results: [{ receiptNumber: 'SRC2190000000', outcome: 'changed' }] });
  await settle();
  expect(document.querySelectorAll('.toast-card')).toHaveLength(0);
  expect(changes).toHaveLength(1);
});

test('a check of many cases goes no further for the next user', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase('WAC0000000004'), savedCase('WAC0000000006')]);
  const lookups = api.holds(endpoints.lookUpCase);
  await showApp('/saved-cases');
  await button('Select all shown').click();
  await page
    .getByRole('region', { name: 'Selected cases' })
    .getByRole('button', { name: 'Check now' })
    .click();
  await expect.poll(() => lookups.length).toBe(1);

  const other = { ...FREE_USER, id: '0198c0de-0000-7000-8000-000000000002', firstName: 'Zoe' };
  signedIn(api, other);
  notifyOtherTabs(null);
  notifyOtherTabs(other.id);
  await expect.poll(() => page.getByTestId('user-menu').element().textContent).toMatch(/^Z/);
  lookups[0]?.answer(caseResult('WAC0000000004'));
  await settle();
  expect(lookups).toHaveLength(1);
});

test('what a user began is not undone by a toast after they have signed out', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase('WAC0000000004')]);
  const removals = api.holds(endpoints.removeSavedCase);
  await showApp('/saved-cases');
  await button('Remove WAC0000000004').click();
  await button('Remove').click();
  await expect.poll(() => removals.length).toBe(1);
  notifyOtherTabs(null);
  await expect.element(landing()).toBeVisible();
  removals[0]?.respond(204, undefined);
  await settle();
  expect(document.querySelectorAll('.toast-card')).toHaveLength(0);
});

const ended = () => page.getByRole('dialog', { name: 'Your session has ended' });
const signInAgain = async () => {
  await ended().getByLabelText('Password').fill('correct horse 1');
  await ended().getByRole('button', { name: 'Sign In' }).click();
  await expect.element(ended()).not.toBeInTheDocument();
};

test('a session that has ended says so, and leads back to the same screen with what was typed', async ({
  api,
}) => {
  signedIn(api);
  keepsCases(api, [savedCase('WAC0000000004')]);
  api.refuses(endpoints.changeSavedCase, 'SIGNED_OUT');
  await showApp('/saved-cases');
  await button('Add nickname').click();
  await userEvent.keyboard('Mine{Enter}');
  await expect.element(ended()).toMatchTextContent(/Nothing you typed is lost/);
  await expect.element(ended().getByLabelText('Email')).toHaveValue(FREE_USER.email);
  await expect.element(ended().getByLabelText('Password')).toHaveFocus();
  await expectAccessible();

  const readBefore = api.count(endpoints.listSavedCasesPage);
  api.answers(endpoints.logIn, FREE_USER);
  await signInAgain();
  await expect.element(page.getByPlaceholder('Add a nickname...')).toHaveValue('Mine');
  await expect.poll(() => api.count(endpoints.listSavedCasesPage)).toBeGreaterThan(readBefore);
});

test('a read that finds the session ended says so too, and the screen fills after the sign-in', async ({
  api,
}) => {
  signedIn(api);
  api.refuses(endpoints.listSavedCasesPage, 'SIGNED_OUT');
  await showApp('/saved-cases');
  await expect.element(ended()).toBeVisible();
  expect(document.querySelectorAll('.toast-card')).toHaveLength(0);
  api.answers(endpoints.logIn, FREE_USER);
  keepsCases(api, []);
  await signInAgain();
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
});

test('another user that signs in after an ended session sees nothing of the one before', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase('WAC0000000004')]);
  api.refuses(endpoints.changeSavedCase, 'SIGNED_OUT');
  await showApp('/saved-cases');
  await button('Add nickname').click();
  await userEvent.keyboard('Mine{Enter}');
  await expect.element(ended()).toBeVisible();
  api.answers(endpoints.logIn, { ...FREE_USER, id: '0198c0de-0000-7000-8000-000000000002' });
  keepsCases(api, []);
  await signInAgain();
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  await expect.element(page.getByPlaceholder('Add a nickname...')).not.toBeInTheDocument();
});

test('an ended session can be left for good, in every tab', async ({ api }) => {
  const otherTab = new BroadcastChannel(SESSION_CHANNEL);
  const heard: unknown[] = [];
  otherTab.onmessage = ({ data }) => heard.push(data);
  onTestFinished(() => otherTab.close());
  signedIn(api);
  api.refuses(endpoints.listSavedCasesPage, 'SIGNED_OUT');
  await showApp('/saved-cases');
  await ended().getByRole('button', { name: 'Log out' }).click();
  await expect.element(landing()).toBeVisible();
  await expect.poll(() => heard).toEqual([{ userId: null }]);
});

test('a read that fails is not retried without an action of the user', async ({ api }) => {
  signedIn(api);
  api.refuses(endpoints.listSavedCasesPage, 'INTERNAL');
  await showApp('/saved-cases');
  await expect.element(page.getByRole('alert')).toMatchTextContent(/^Your saved cases could not be loaded/);
  keepsCases(api, []);
  lookAtTab();
  await settle();
  expect(api.count(endpoints.listSavedCasesPage)).toBe(1);
  await button('Try again').click();
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  expect(api.count(endpoints.listSavedCasesPage)).toBe(2);
});
