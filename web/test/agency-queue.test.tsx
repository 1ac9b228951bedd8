import type { AdminRole } from '@casewatch/contracts/admin-roles';
import type { AgencyQueueNow } from '@casewatch/contracts/agency-queue';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, showApp, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { CALM_QUEUE } from './samples.ts';

const MARIA = '0198c0de-0000-7000-8000-00000000000a';
const LATER_MS = 15_000;

const BUSY: AgencyQueueNow = {
  ...CALM_QUEUE,
  pausedUntil: '2026-01-05T12:00:04.000Z',
  people: { lookups: 1_203, oldestMs: 4_900 },
  scheduledChecks: { lookups: 1, oldestMs: 900 },
  longest: [
    { userId: MARIA, userFirstName: 'Maria', lookups: 1_202 },
    { userId: '0198c0de-0000-7000-8000-00000000000b', userFirstName: 'Bob', lookups: 1 },
  ],
};

async function open(api: FakeApi, role: AdminRole = 'owner') {
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode: true });
  api.answers(endpoints.adminLogIn, { ok: true, idleSeconds: 900, admin: { name: 'passcode', role } });
  api.loses(endpoints.getCallOverview);
  api.answers(endpoints.listLogs, { logs: [], totalCount: 0, totalIsExact: true, older: null, newer: null });
  await showApp('/admin');
  await page.getByLabelText('Passcode').fill('secret');
  await button('Access Admin Panel').click();
}

const card = () => page.getByRole('region', { name: 'Waiting for the agency' });
const alarm = () => card().getByRole('status');

test('an administrator sees who calls the agency, and that nothing waits', async ({ api }) => {
  api.answers(endpoints.getAgencyQueue, CALM_QUEUE);
  await open(api);
  await expect.element(card().getByText('Nothing is waiting.')).toBeVisible();
  await expect
    .element(
      card().getByText(/^casewatch-cases-7c9d8b6f5-x2x9k has been calling the agency since Jan 5, 2026/),
    )
    .toBeVisible();
  await expect.element(alarm()).toHaveTextContent('');
});

test('the queue is read again by itself: how many wait, for how long, and whose they are', async ({
  api,
}) => {
  api.answers(endpoints.getAgencyQueue, CALM_QUEUE);
  await open(api);
  await expect.element(card().getByText('Nothing is waiting.')).toBeVisible();
  api.answers(endpoints.getAgencyQueue, BUSY);
  await expect
    .element(card().getByText('from people, the oldest for 4 s'), { timeout: LATER_MS })
    .toBeVisible();
  await expect.element(card().getByText('1,203', { exact: true })).toBeVisible();
  await expect.element(card().getByText('from scheduled checks, the oldest for 0 s')).toBeVisible();
  await expect.element(card().getByText(/too many requests.*calls pause until/)).toBeVisible();
  // Numbers that change all the time are not read out.
  await expect.element(alarm()).toHaveTextContent('');
  await expectAccessibleEverywhere();
  const maria = card().getByRole('link', { name: 'Maria' });
  (maria.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('searchbox', { name: 'Search the log' })).toHaveValue(`user:${MARIA}`);
});

test('a caller that is missing for more than a moment is announced, with what to do', async ({ api }) => {
  api.answers(endpoints.getAgencyQueue, { ...BUSY, caller: null });
  await open(api);
  await expect.element(card().getByText(/^No caller at the moment/)).toBeVisible();
  await expect.element(alarm()).toHaveTextContent('');
  await expect
    .element(alarm(), { timeout: LATER_MS })
    .toMatchTextContent(/^No process is calling the agency right now.*Check that a cases process runs/);
  await expectAccessibleEverywhere();
  api.answers(endpoints.getAgencyQueue, CALM_QUEUE);
  await expect.element(alarm(), { timeout: LATER_MS }).toHaveTextContent('');
});

test('a spent quota is announced with its end', async ({ api }) => {
  api.answers(endpoints.getAgencyQueue, { ...CALM_QUEUE, quotaSpentUntil: '2026-01-06T00:00:00.000Z' });
  await open(api);
  await expect
    .element(alarm())
    .toMatchTextContent(/^The agency says that today’s quota is used up until Jan/);
});

test('a queue that could not be loaded is tried again by hand; one that was read stays, with its age', async ({
  api,
}) => {
  api.refuses(endpoints.getAgencyQueue, 'UNAVAILABLE');
  await open(api);
  await expect.element(card().getByRole('alert')).toMatchTextContent(/The queue could not be loaded/);
  await expectAccessibleEverywhere();
  api.answers(endpoints.getAgencyQueue, CALM_QUEUE);
  await card().getByRole('button', { name: 'Try again' }).click();
  await expect.element(card().getByText('Nothing is waiting.')).toBeVisible();
  api.refuses(endpoints.getAgencyQueue, 'UNAVAILABLE');
  await expect
    .element(card().getByText(/^This could not be read again, and is from/), { timeout: LATER_MS })
    .toBeVisible();
  await expect.element(card().getByText('Nothing is waiting.')).toBeVisible();
});

test('an auditor sees how much waits, and not whose it is', async ({ api }) => {
  const longest = [{ userId: null, userFirstName: null, lookups: 1_202 }];
  api.answers(endpoints.getAgencyQueue, { ...BUSY, longest });
  await open(api, 'auditor');
  await expect.element(card().getByText('A user 1,202 lookups')).toBeVisible();
  expect(card().getByRole('link').elements()).toEqual([]);
});
