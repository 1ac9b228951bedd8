import { onlineManager } from '@tanstack/react-query';
import { get } from 'idb-keyval';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import * as endpoints from '../src/api/endpoints.ts';
import { keptStore } from '../src/api/kept-store.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { expect, keepsCases, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, FREE_USER, savedCase } from './samples.ts';

const NUMBER = 'WAC0000000004';
const LOOKED_UP = 'EAC9999103403';
const CHECKED = new Date(Date.now() - 2 * 3_600_000).toISOString();
const kept = async () => JSON.stringify(await get('snapshot', keptStore)) ?? '';
const saved = savedCase(NUMBER, {
  lastKnownStatus: 'Case Was Approved',
  lastCheckedAt: CHECKED,
  nickname: 'Mother',
});

function online(api: FakeApi, user = FREE_USER): void {
  onlineManager.setOnline(true);
  signedIn(api, user);
  api.answers(endpoints.listWatches, []);
  keepsCases(api, user.id === FREE_USER.id ? [saved] : []);
  api.answers(endpoints.lookUpCase, caseResult(LOOKED_UP, { caseStatus: 'Card Was Mailed To Me' }));
}

/** Opens a page as a new load of the app, until what it shows is kept. */
async function visit(path: string, keptPart: string): Promise<void> {
  // What the app of the test before was about to write may come after the device was cleared.
  const sinceMs = Date.now();
  await showApp(path);
  await expect.poll(kept).toContain(keptPart);
  await expect.poll(async () => (await get('snapshot', keptStore)).savedAtMs).toBeGreaterThanOrEqual(sinceMs);
  await cleanup();
}

function offline(api: FakeApi): void {
  onlineManager.setOnline(false);
  const { getMe, getSubscription, listNotifications, listPendingSurveys, listWatches } = endpoints;
  for (const one of [getMe, getSubscription, listNotifications, listPendingSurveys, listWatches])
    api.loses(one);
  for (const one of [endpoints.listSavedCases, endpoints.listSavedCasesPage, endpoints.lookUpCase])
    api.loses(one);
}

test('a saved case that was never looked up here opens offline with what is stored, and its age', async ({
  api,
}) => {
  online(api);
  await visit('/saved-cases', NUMBER);
  offline(api);
  await showApp(`/cases/${NUMBER}`);
  const status = page.getByRole('region', { name: 'Status' });
  await expect.element(page.getByRole('heading', { name: 'Mother', level: 1 })).toBeVisible();
  await expect.element(status).toMatchTextContent(/Case Was Approved.*As of .*\(2 hours ago\)/);
  await expect.element(status).toMatchTextContent(/You are offline\. The case is looked up when/);
  expect(document.body.textContent).not.toMatch(/Failed to fetch/);
  await expectAccessible();
});

test('in Spanish, too', async ({ api }) => {
  online(api);
  await visit('/saved-cases', NUMBER);
  offline(api);
  await showLanguage('es');
  await showApp(`/cases/${NUMBER}`);
  await expect.element(page.getByText(/\(hace 2 horas\)/)).toBeVisible();
  await expect.element(page.getByText(/^No tiene conexión\. El caso se consultará/)).toBeVisible();
});

test('a case that this device has nothing of says so offline', async ({ api }) => {
  online(api);
  await visit('/saved-cases', NUMBER);
  offline(api);
  await showApp('/cases/EAC0000000009');
  await expect.element(page.getByText('There is no copy of this case on this device.')).toBeVisible();
});

test.for(['/profile', '/saved-cases', '/', `/cases/${LOOKED_UP.replace('3403', '3404')}`, '/upgrade'])(
  'a case that was looked up can be read offline after a later load of %s',
  async (path, { api }) => {
    online(api);
    api.answers(endpoints.listPrices, []);
    await visit(`/cases/${LOOKED_UP}`, 'Card Was Mailed To Me');
    const before = (await get('snapshot', keptStore)).savedAtMs;
    await showApp(path);
    await expect.poll(async () => (await get('snapshot', keptStore)).savedAtMs).toBeGreaterThan(before);
    await cleanup();
    offline(api);
    await showApp(`/cases/${LOOKED_UP}`);
    await expect
      .element(page.getByRole('region', { name: 'Status' }))
      .toMatchTextContent(/Card Was Mailed To Me/);
  },
);

test('the recent lookups follow what is known of a saved case, with its day', async ({ api }) => {
  online(api);
  api.answers(endpoints.lookUpCase, caseResult(NUMBER, { observedAt: '2026-01-02T12:00:00.000Z' }));
  await showApp('/');
  await page.getByRole('textbox').fill(NUMBER);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: NUMBER })).toBeVisible();
  await cleanup();
  const checked = '2026-01-04T12:00:00.000Z';
  keepsCases(api, [savedCase(NUMBER, { lastKnownStatus: 'Case Was Denied', lastCheckedAt: checked })]);
  await showApp('/');
  const recent = page.getByRole('region', { name: 'Recent on this device' });
  await expect.element(recent).toMatchTextContent(/Case Was Denied\s*Jan 4, 2026/);
});

test.for([
  'signs in',
  'signs up',
  'signs in at the address of a case',
  'signed in in another tab',
  'signed in in another tab, and opens a case',
])('as soon as another user %s, nothing of the one before is left on the device', async (way, { api }) => {
  online(api);
  await visit('/saved-cases', NUMBER);
  localStorage.setItem(
    `recent-lookups-${FREE_USER.id}`,
    JSON.stringify([{ receiptNumber: NUMBER, status: 'x' }]),
  );
  const other = { ...FREE_USER, id: '01890a5d-ac96-774b-bcce-b302099a8057', email: 'other@example.test' };
  if (way.includes('another tab')) {
    online(api, other);
    await showApp(way.endsWith('case') ? `/cases/${LOOKED_UP}` : '/');
  } else {
    api.refuses(endpoints.getMe, 'SIGNED_OUT');
    await showApp(way.endsWith('case') ? `/cases/${LOOKED_UP}` : '/auth');
    if (way === 'signs up') {
      await page.getByRole('tab', { name: 'Sign Up' }).click();
      await page.getByLabelText('First Name').fill('Grace');
      await page.getByLabelText('Last Name').fill('Hopper');
    }
    await page.getByLabelText('Email').fill(other.email);
    await page.getByLabelText('Password', { exact: true }).fill('correct horse 1');
    online(api, other);
    api.answers(endpoints.logIn, other);
    api.answers(endpoints.signUp, other);
    api.answers(endpoints.listPrices, []);
    await userEvent.keyboard('{Enter}');
  }
  await expect.element(page.getByTestId('user-menu')).toBeVisible();
  await expect.poll(() => JSON.stringify({ ...localStorage })).not.toContain(NUMBER);
  await expect.poll(kept).not.toContain(NUMBER);
  expect(document.body.textContent).not.toContain(NUMBER);
});
