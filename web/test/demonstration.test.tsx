import type { AdminRole } from '@casewatch/contracts/admin-roles';
import type { AgencyDemonstration, AgencyExchange } from '@casewatch/contracts/agency-demonstration';
import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, expectToast, showApp, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { CALM_QUEUE, caseResult } from './samples.ts';

const NUMBER = 'EAC9999103403';
const AT = '2026-01-05T12:00:00.000Z';

const exchange = (status: number, body: string): AgencyExchange => ({
  sentAt: AT,
  durationMs: 12,
  request: {
    method: 'GET',
    url: `http://127.0.0.1:8081/case-status/${NUMBER}`,
    headers: { authorization: 'Bearer [masked]', demo_id: '4711' },
  },
  answer: { status, headers: { 'content-type': 'application/json' }, body, isCut: false },
});

const VALID: AgencyDemonstration = {
  case: 'valid',
  receiptNumber: NUMBER,
  startedAt: AT,
  endedAt: AT,
  agency: { baseUrl: 'http://127.0.0.1:8081', kind: 'simulator' },
  outcome: 'shown',
  token: exchange(200, '{"access_token":"[masked]"}'),
  status: exchange(200, '{"case_status":{}}'),
  read: { fields: { status: 'Case Was Approved', history: 'none' } },
  isStored: true,
  shown: { result: caseResult(NUMBER, { caseStatus: 'Case Was Approved' }) },
};

const UNAVAILABLE: AgencyDemonstration = {
  ...VALID,
  case: 'unavailable',
  status: exchange(503, '\n\n<img src=x onerror="document.title = 1">'),
  read: { code: 'unavailable', agencyMessage: 'Closed for today.' },
  isStored: false,
  shown: {
    refusal: { error: 'Not available.', code: 'AGENCY_UNAVAILABLE', agencyMessage: 'Closed for today.' },
  },
};

async function open(api: FakeApi, role: AdminRole = 'owner') {
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode: true });
  api.answers(endpoints.adminLogIn, { ok: true, idleSeconds: 900, admin: { name: 'passcode', role } });
  api.answers(endpoints.adminLogOut, { ok: true });
  api.answers(endpoints.getAgencyQueue, CALM_QUEUE);
  api.loses(endpoints.getCallOverview);
  api.answers(endpoints.listLogs, { logs: [], totalCount: 0, totalIsExact: true, older: null, newer: null });
  api.answers(endpoints.listLogViews, []);
  await showApp('/admin?tab=demonstration');
  await page.getByLabelText('Passcode').fill('secret');
  await button('Access Admin Panel').click();
}

const status = () => page.getByRole('status').filter({ hasText: /\S/ });
const steps = () => page.getByRole('list', { name: 'Record, newest first' }).getByRole('listitem');
const texts = () => document.querySelector('.demonstration-steps')?.textContent ?? '';

test('each step is recorded with what was sent, what came back and what a user sees', async ({ api }) => {
  await open(api);
  await expectAccessibleEverywhere();
  api.answers(endpoints.demonstrateAgencyCall, VALID);
  await button('Valid').click();
  await expect.element(status()).toHaveTextContent('Step 1, Valid. Shown: the agency answered 200.');
  await expect.element(page.getByRole('article', { name: NUMBER })).toBeVisible();
  expect(texts()).toContain('Called: http://127.0.0.1:8081 (a simulator, not the agency)');
  expect(texts()).toContain('authorization: Bearer [masked]\ndemo_id: 4711');

  api.answers(endpoints.demonstrateAgencyCall, UNAVAILABLE);
  await button('Unavailable').click();
  await button('Unavailable').click();
  await expect.element(status()).toHaveTextContent('Step 3, Unavailable. Shown: the agency answered 503.');
  // What the agency sends stays text.
  expect(texts()).toContain('\n\n<img src=x onerror="document.title = 1">');
  expect(document.querySelector('.demonstration-steps img')).toBeNull();

  api.answers(endpoints.checkDueCases, {
    startedAt: AT,
    endedAt: AT,
    started: 3,
    outcomes: { observed: 2, 'no-budget': 1 },
    nextDueAt: null,
  });
  await button('Scheduled batch').click();
  await expect
    .element(status())
    .toHaveTextContent(
      'Step 4, Scheduled batch. 3 checks started. Came back: 2 with a status, 1 without a call left, still due.',
    );
  await expect.poll(() => document.querySelectorAll('.demonstration-step > h3')).toHaveLength(4);
  await expectAccessibleEverywhere();
});

test('where the agency gives no token, the page says what it answered instead', async ({ api }) => {
  await open(api);
  const { status: _none, ...call } = { ...VALID, token: exchange(503, '{}'), outcome: 'not-shown' as const };
  const shown = { refusal: { error: 'Not available.', code: 'AGENCY_UNAVAILABLE' as const } };
  api.answers(endpoints.demonstrateAgencyCall, {
    ...call,
    read: { code: 'unavailable' },
    isStored: false,
    shown,
  });
  await button('Valid').click();
  await expect
    .element(status())
    .toHaveTextContent('Step 1, Valid. Not shown: the agency gave no token, it answered 503.');
});

test('a malformed number is refused in the field, but for the cases that send numbers of their own', async ({
  api,
}) => {
  await open(api);
  const calls: unknown[] = [];
  api.serves(endpoints.demonstrateAgencyCall, ({ body }) => {
    calls.push(body);
    return { ...UNAVAILABLE, case: 'malformed' as const };
  });
  const field = page.getByLabelText('Receipt Number');
  await field.fill('EAC12');
  await button('Valid').click();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  expect(calls).toEqual([]);
  await button('Malformed').click();
  await expect.poll(() => calls).toEqual([{ case: 'malformed', receiptNumber: NUMBER }]);
});

test('a double click, another button and another tab of the area start no second call, and its step is not lost', async ({
  api,
}) => {
  await open(api);
  const waiting = api.holds(endpoints.demonstrateAgencyCall);
  await button('Valid').dblClick();
  await expect.element(button('Valid')).toHaveFocus();
  // A keyboard reaches what is disabled for the moment.
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(status()).toHaveTextContent('Waiting for the answer...');
  await page.getByRole('tab', { name: 'API Logs' }).click();
  await page.getByRole('tab', { name: 'Demonstration' }).click();
  await button('Malformed').click({ force: true });
  expect(waiting).toHaveLength(1);
  await page.getByRole('tab', { name: 'API Logs' }).click();
  waiting[0]?.answer(VALID);
  await page.getByRole('tab', { name: 'Demonstration' }).click();
  await expect.element(page.getByRole('heading', { name: 'Step 1: Valid' })).toBeVisible();
  await button('Clear').click();
  await expect.element(page.getByRole('heading', { name: 'Demonstration' })).toHaveFocus();
  expect(steps().elements()).toEqual([]);
});

test('a step that the server refuses is told, and the record stays', async ({ api }) => {
  await open(api);
  api.answers(endpoints.demonstrateAgencyCall, VALID);
  await button('Valid').click();
  api.refuses(endpoints.demonstrateAgencyCall, 'RATE_LIMITED', 'Too many requests.');
  await button('Throttled').click();
  await expectToast('Error', 'Too many requests.');
  await expect.poll(() => document.querySelectorAll('.demonstration-step > h3')).toHaveLength(1);
});

test('links in what a user sees open beside the record, which can be printed and downloaded', async ({
  api,
}) => {
  await open(api);
  api.answers(endpoints.demonstrateAgencyCall, VALID);
  await button('Valid').click();
  const openWindow = vi.spyOn(window, 'open').mockReturnValue(null);
  await page.getByRole('link', { name: NUMBER }).click();
  expect(openWindow).toHaveBeenCalledWith(`${location.origin}/cases/${NUMBER}`, '_blank', 'noopener');
  const print = vi.spyOn(window, 'print').mockReturnValue(undefined);
  await button('Print the record').click();
  expect(print).toHaveBeenCalledOnce();
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob);
    return 'blob:none';
  });
  await button('Download JSON').click();
  expect(JSON.parse((await saved[0]?.text()) ?? '')).toMatchObject({
    steps: [{ nth: 1, kind: 'call', call: VALID }],
  });
});

test('administrators who are no owners are not offered it', async ({ api }) => {
  await open(api, 'auditor');
  await expect.element(page.getByRole('tab', { name: 'API Logs' })).toHaveAttribute('aria-selected', 'true');
  await expect.element(page.getByRole('tab', { name: 'Demonstration' })).not.toBeInTheDocument();
});
