import { onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, choose, expect, keepsCases, settle, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER, PRO_USER, savedCase } from './samples.ts';

const RECEIPT = 'WAC0000000004';
const heading = () => page.getByRole('heading', { name: RECEIPT });
const dialog = () => page.getByRole('dialog', { name: 'Export case data' });
const exportIt = () => dialog().getByRole('button', { name: 'Export', exact: true });
const option = (name: string) => dialog().getByRole('radio', { name });

/** Waits until the dialog says so. */
const says = (words: string | RegExp) =>
  expect.poll(() => document.querySelector('[role=dialog]')?.textContent).toMatch(words);

/** Records what the browser would save. */
function savedFiles(): { name: string; text: () => Promise<string> }[] {
  const files: { name: string; text: () => Promise<string> }[] = [];
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (!(blob instanceof Blob)) throw new Error('not a file');
    const url = `blob:test-${blobs.size}`;
    blobs.set(url, blob);
    return url;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs.get(this.href);
    files.push({ name: this.download, text: async () => (await blob?.text()) ?? '' });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return files;
}

async function openDialog(api: FakeApi): Promise<void> {
  signedIn(api, PRO_USER);
  keepsCases(api, [savedCase(RECEIPT)]);
  api.answers(endpoints.listWatches, []);
  await showApp('/saved-cases');
  await button('Export').click();
  await expect.element(dialog()).toBeVisible();
}

const CASE = JSON.stringify({
  receiptNumber: RECEIPT,
  nickname: '<img src=x onerror=alert(1)>',
  monitoringFrequency: 'daily',
  lastCheckedAt: null,
  lastKnownStatus: 'Case Was Received',
  createdAt: '2026-01-01T00:00:00.000Z',
  tags: ['family'],
  archivedAt: null,
  formType: 'I-485',
  statusChangedAt: null,
  history: [
    {
      caseStatus: 'Case Was Received',
      statusHistDate: '2025-12-01',
      source: 'agency',
      firstObservedAt: null,
    },
  ],
});
const NOTIFICATION = JSON.stringify({
  id: 'n',
  receiptNumber: RECEIPT,
  oldStatus: null,
  newStatus: 'Case Was Received',
  createdAt: '2026-01-01T00:00:00.000Z',
  read: true,
});
const total = (count: number) => ({ 'x-total-count': String(count) });

test('a pro user exports all saved cases as CSV, in the time zone of the browser', async ({ api }) => {
  const files = savedFiles();
  await openDialog(api);
  await says('All of your saved cases, including archived ones.');
  await expectAccessibleEverywhere();
  const calls = api.holds(endpoints.exportCasesCsv);
  await exportIt().click();
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]?.body).toEqual({
    content: 'cases',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  calls[0]?.stream('\uFEFF"Receipt Number"\r\n"WAC0000000004"\r\n', total(1));
  await says(/Saved as casewatch-saved-cases-\d{4}-\d\d-\d\d\.csv/);
  expect(await files[0]?.text()).toContain('"WAC0000000004"');
});

test('all of it as JSON is one document of cases and notifications', async ({ api }) => {
  const files = savedFiles();
  await openDialog(api);
  api.streams(endpoints.exportCasesNdjson, `${CASE}\n${CASE}\n`, total(2));
  api.streams(endpoints.exportNotificationsNdjson, `${NOTIFICATION}\n`, total(1));
  await option('Everything (JSON)').click();
  await exportIt().click();
  await says('Saved as casewatch-case-data-');
  expect(JSON.parse((await files[0]?.text()) ?? '')).toMatchObject({
    exportedAt: expect.any(String),
    timeZone: expect.any(String),
    cases: [{ receiptNumber: RECEIPT }, { history: [{ caseStatus: 'Case Was Received' }] }],
    notifications: [{ newStatus: 'Case Was Received' }],
  });
});

test('the report to print shows cases, history and notifications, and runs nothing that stands in a nickname', async ({
  api,
}) => {
  const files = savedFiles();
  await openDialog(api);
  api.streams(endpoints.exportCasesNdjson, `${CASE}\n`, total(1));
  api.streams(endpoints.exportNotificationsNdjson, `${NOTIFICATION}\n`, total(1));
  await option('Report to print').click();
  await exportIt().click();
  await says('.html');
  const report = new DOMParser().parseFromString((await files[0]?.text()) ?? '', 'text/html');
  expect(report.querySelectorAll('img, script')).toHaveLength(0);
  expect(report.body.textContent).toContain(`${RECEIPT} · <img src=x onerror=alert(1)>`);
  expect([...report.querySelectorAll('caption')].map((one) => one.textContent)).toEqual(['History']);
  expect(report.body.textContent).toContain('Dec 1, 2025');
  expect(report.querySelectorAll('section')).toHaveLength(2);
});

test('a long export shows how far it is, and can be canceled without a file', async ({ api }) => {
  const files = savedFiles();
  await openDialog(api);
  const calls = api.holds(endpoints.exportCasesCsv);
  await option('Case history (CSV)').click();
  await exportIt().click();
  await expect.poll(() => calls.length).toBe(1);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  calls[0]?.stream(readable, total(4));
  void writer.write(new TextEncoder().encode('head\r\none\r\n')).catch(() => undefined);
  await says('1 of 4 history entries');
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('value', '1');
  await button('Cancel').click();
  await says('Canceled. Nothing was saved.');
  expect(document.activeElement?.textContent).toBe('Export');
  expect([calls[0]?.aborted, files]).toEqual([true, []]);
});

test('an export that breaks off is not saved, and can be started again', async ({ api }) => {
  const files = savedFiles();
  await openDialog(api);
  const calls = api.holds(endpoints.exportCasesCsv);
  await exportIt().click();
  await expect.poll(() => calls.length).toBe(1);
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new TypeError('connection lost')),
  });
  calls[0]?.stream(broken, total(4));
  await says('The download stopped before it was complete.');
  await exportIt().click();
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.stream('head\r\n', total(0));
  await says('Saved as');
  expect(files).toHaveLength(1);
});

test('a selection exports its cases alone', async ({ api }) => {
  savedFiles();
  signedIn(api, PRO_USER);
  keepsCases(api, [savedCase(RECEIPT), savedCase('WAC0000000005')]);
  api.answers(endpoints.listWatches, []);
  await showApp('/saved-cases');
  await page.getByRole('checkbox', { name: `Select ${RECEIPT}` }).click();
  await choose('More', 'Export selected');
  await says('1 selected case.');
  const calls = api.holds(endpoints.exportCasesCsv);
  await exportIt().click();
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]?.body).toMatchObject({ receiptNumbers: [RECEIPT] });
});

test('a free user is offered no export', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase(RECEIPT)]);
  await showApp('/saved-cases');
  await expect.element(heading()).toBeVisible();
  await expect.element(button('Export')).not.toBeInTheDocument();
});

test('an empty list is not exported', async ({ api }) => {
  signedIn(api, PRO_USER);
  await showApp('/saved-cases');
  await expect.element(page.getByText('No saved cases yet')).toBeVisible();
  await settle();
  await expect.element(button('Export')).not.toBeInTheDocument();
});

async function showProfile(api: FakeApi, user = FREE_USER): Promise<void> {
  signedIn(api, user);
  api.answers(endpoints.listPrices, []);
  await showApp('/profile/data');
  await expect.element(button('Download my data')).toBeVisible();
}
const saysInCard = (words: string | RegExp) =>
  expect.poll(() => page.getByRole('region', { name: 'Your data' }).element().textContent).toMatch(words);

function holdsNothing(api: FakeApi): void {
  api.streams(endpoints.downloadMyIdentityData, '');
  api.streams(endpoints.downloadMyCasesData, '');
  api.streams(endpoints.downloadMyMonitoringData, '');
  api.streams(endpoints.downloadMyNotificationsData, '');
  api.streams(endpoints.downloadMyBillingData, '');
  api.streams(endpoints.downloadMySurveysData, '');
  api.streams(endpoints.downloadMyAdminLogData, '');
}

test('everyone downloads all data about the account as one file, service by service', async ({ api }) => {
  const files = savedFiles();
  await showProfile(api);
  await expectAccessibleEverywhere();
  holdsNothing(api);
  const row = (table: string, id: number) => `${JSON.stringify({ table, row: { id } })}\n`;
  api.streams(endpoints.downloadMyIdentityData, row('users', 1) + row('sessions', 2) + row('sessions', 3));
  api.streams(endpoints.downloadMyCasesData, row('saved_cases', 4));
  await button('Download my data').click();
  await saysInCard(/Saved as casewatch-my-data-\d{4}-\d\d-\d\d\.json/);
  expect(JSON.parse((await files[0]?.text()) ?? '')).toEqual({
    exportedAt: expect.any(String),
    account: { users: [{ id: 1 }], sessions: [{ id: 2 }, { id: 3 }] },
    cases: { saved_cases: [{ id: 4 }] },
    monitoring: {},
    notifications: {},
    billing: {},
    surveys: {},
    lookups: {},
  });
});

test('there is no file when one service fails, and a download can be canceled', async ({ api }) => {
  const files = savedFiles();
  await showProfile(api);
  holdsNothing(api);
  api.refuses(
    endpoints.downloadMySurveysData,
    'UNAVAILABLE',
    'A part of the service is not available right now.',
  );
  await button('Download my data').click();
  await saysInCard('A part of the service is not available right now.');
  const held = api.holds(endpoints.downloadMySurveysData);
  await button('Download my data').click();
  await expect.poll(() => held.length).toBe(1);
  await saysInCard('5 of 7 parts');
  await button('Cancel').click();
  await saysInCard('Canceled. Nothing was saved.');
  await expect.element(button('Download my data')).toHaveFocus();
  expect([held[0]?.aborted, files]).toEqual([true, []]);
});

test('case data can be exported from the profile by pro users, and is offered to others', async ({ api }) => {
  await showProfile(api);
  await button('Export case data').click();
  await expect.element(page.getByText(/Export of case data is a Pro feature/)).toBeVisible();
});
