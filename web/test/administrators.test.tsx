import type { AuditEntry } from '@casewatch/contracts/admin-log';
import type { AdminIdentity } from '@casewatch/contracts/admin-session';
import type { Administrator } from '@casewatch/contracts/administrators';
import type { Passkey } from '@casewatch/contracts/passkeys';
import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { ASSERTION, authenticator, CREATION, dismissal, REQUEST } from './authenticator.ts';
import { button, expect, expectToast, showApp, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { CALM_QUEUE } from './samples.ts';

const GRACE: Administrator = {
  id: '0199d0c4-0000-4000-8000-000000000001',
  email: 'grace@example.org',
  name: 'Grace Hopper',
  role: 'owner',
  isActive: true,
  invitedUntil: null,
  lastSignInAt: '2026-11-22T10:00:00.000Z',
};
const OPENED = { ok: true, idleSeconds: 900 } as const;

const gate = (api: FakeApi, passcode: boolean) => {
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode });
  return showApp('/admin');
};
const field = (name: string) => page.getByRole('textbox', { name });

async function signIn(): Promise<void> {
  await field('Email').fill(GRACE.email);
  await page.getByLabelText('Password').fill('a fairly long password');
  await field('Code').fill('123456');
  await button('Access Admin Panel').click();
}

test('the gate asks for the passcode, and for an account on request, whose first field has the focus', async ({
  api,
}) => {
  await gate(api, true);
  await expect.element(page.getByText('Enter the admin passcode to view API logs')).toBeVisible();
  await button('Sign in with your account instead').click();
  await expect.element(field('Email')).toHaveFocus();
  await expectAccessibleEverywhere();
  await button('Use the passcode instead').click();
  await expect.element(page.getByLabelText('Passcode')).toHaveFocus();
});

test('with the passcode switched off the gate asks for an account alone', async ({ api }) => {
  await gate(api, false);
  await expect.element(page.getByText('Sign in with your administrator account')).toBeVisible();
  await expect.element(button('Use the passcode instead')).not.toBeInTheDocument();
});

const ADA: AdminIdentity = { name: 'Ada', role: 'owner' };
const PROVIDER = { passcode: false, provider: 'Example ID' };

test('the provider is one click further, and its sign-in opens the view that was left', async ({ api }) => {
  api.answers(endpoints.getAdminSignInOptions, PROVIDER);
  // A fragment in place of another site, which would take the test with it.
  api.answers(endpoints.beginSingleSignOn, { url: new URL('#at-the-provider', location.href).href });
  const left = await showApp('/admin?tab=surveys');
  await expect.element(button('Sign in with Example ID')).toBeVisible();
  await expectAccessibleEverywhere();
  await button('Sign in with Example ID').click();
  await expect.poll(() => window.location.hash).toBe('#at-the-provider');
  window.location.hash = '';
  await left.unmount();

  api.serves(endpoints.finishSingleSignOn, ({ body }) => {
    expect(body).toEqual({ query: '?code=once&state=mine' });
    return { ...OPENED, admin: ADA };
  });
  api.answers(endpoints.listSurveys, []);
  await showApp('/admin/single-sign-on?code=once&state=mine');
  await expect.element(page.getByRole('heading', { name: 'Surveys' })).toBeVisible();
  await expect.element(page.getByText('Ada, owner')).toBeVisible();
  expect(api.count(endpoints.finishSingleSignOn)).toBe(1);
});

test('a sign-in that the provider did not give says why, and starts again or another way', async ({
  api,
}) => {
  api.answers(endpoints.getAdminSignInOptions, PROVIDER);
  const error = 'Example ID has not verified your email address. Verify it there and start again.';
  api.refuses(endpoints.finishSingleSignOn, 'EMAIL_NOT_VERIFIED', error);
  await showApp('/admin/single-sign-on?code=once&state=mine');
  await expect.element(page.getByRole('alert')).toHaveTextContent(error);
  await expect.element(page.getByRole('heading', { name: 'You are not signed in' })).toHaveFocus();
  await expectAccessibleEverywhere();
  api.refuses(endpoints.beginSingleSignOn, 'PROVIDER_UNAVAILABLE', 'Example ID can’t be reached right now.');
  await button('Start again').click();
  await expectToast('Example ID can’t be reached right now.');
  await page.getByRole('link', { name: 'Sign in another way' }).click();
  await expect.element(field('Email')).toBeVisible();
});

test('an ended session is opened again by a tab of its own, and what lies beneath stays', async ({ api }) => {
  await openAdministrators(api, PROVIDER.provider);
  await field('Email').fill('half an address');
  api.refuses(endpoints.renewInvitation, 'ADMIN_REQUIRED');
  await button('New link for grace@example.org').click();
  await expect.element(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  api.answers(endpoints.beginSingleSignOn, { url: 'https://id.example.org/authorize' });
  const tab = { location: { assign: vi.fn() }, close: vi.fn() };
  vi.stubGlobal('open', () => tab);
  await button('Sign in with Example ID').click();
  await expect.poll(() => tab.location.assign.mock.calls).toEqual([['https://id.example.org/authorize']]);
  const channel = new BroadcastChannel('admin-area-opened');
  channel.postMessage({ ...OPENED, admin: { name: 'passcode', role: 'owner' } });
  await expect.element(page.getByRole('heading', { name: 'Admin Access' })).not.toBeInTheDocument();
  await expect.element(field('Email')).toHaveValue('half an address');
  channel.close();
});

test('the tab in which the provider was open reports to the one that waits, closes, and says so where it may not', async ({
  api,
}) => {
  // As the tab that waits has left it.
  localStorage.setItem('admin-single-sign-on', JSON.stringify({ search: '?tab=surveys', isReopening: true }));
  const opened = { ...OPENED, admin: ADA };
  api.answers(endpoints.finishSingleSignOn, opened);
  const close = vi.fn();
  vi.stubGlobal('close', close);
  const reported: unknown[] = [];
  const waiting = new BroadcastChannel('admin-area-opened');
  waiting.onmessage = ({ data }) => reported.push(data);
  await showApp('/admin/single-sign-on?code=once&state=mine');
  await expect.element(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  await expect.poll(() => reported).toEqual([opened]);
  expect(close).toHaveBeenCalledOnce();
  await expectAccessibleEverywhere();
  waiting.close();
});

test('a refused sign-in says so, keeps what was typed and selects the code, which has to be another one', async ({
  api,
}) => {
  api.refuses(
    endpoints.adminSignIn,
    'INVALID_CREDENTIALS',
    'The email address, the password or the code is wrong.',
  );
  await gate(api, false);
  await button('Access Admin Panel').click();
  await expect.element(field('Email')).toHaveAccessibleDescription('Invalid email address');
  await signIn();
  await expectToast('The email address, the password or the code is wrong.');
  await expect.element(field('Code')).toHaveFocus();
  await expect.element(field('Email')).toHaveValue(GRACE.email);
});

test('a survey editor gets the surveys, their own account and nothing else', async ({ api }) => {
  api.answers(endpoints.adminSignIn, { ...OPENED, admin: { name: 'Ada', role: 'survey-editor' } });
  api.answers(endpoints.listSurveys, []);
  await gate(api, false);
  await signIn();
  await expect.element(page.getByRole('heading', { name: 'Surveys' })).toBeVisible();
  expect(
    page
      .getByRole('tab')
      .elements()
      .map((tab) => tab.textContent),
  ).toEqual(['Surveys', 'Your account']);
  await expect.element(button('Create survey')).toBeVisible();
  await expect.element(page.getByText('Ada, survey editor')).toBeVisible();
});

test('an auditor sees surveys without a way to change them', async ({ api }) => {
  api.answers(endpoints.adminSignIn, { ...OPENED, admin: { name: 'Ada', role: 'auditor' } });
  api.answers(endpoints.listSurveys, []);
  api.answers(endpoints.listAudit, { entries: [], older: null });
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode: false });
  await showApp('/admin?tab=surveys');
  await signIn();
  await expect.element(page.getByRole('heading', { name: 'Surveys' })).toBeVisible();
  await expect.element(button('Create survey')).not.toBeInTheDocument();
  await expect.element(page.getByRole('tab', { name: 'Administrators' })).not.toBeInTheDocument();
});

test('an auditor is offered no export of the log, and the trail’s, in words and in a named time zone', async ({
  api,
}) => {
  api.answers(endpoints.adminSignIn, { ...OPENED, admin: { name: 'Ada', role: 'auditor' } });
  api.loses(endpoints.getCallOverview);
  api.answers(endpoints.getAgencyQueue, CALM_QUEUE);
  api.answers(endpoints.listLogs, {
    logs: [],
    totalCount: 12_345,
    totalIsExact: true,
    older: null,
    newer: null,
  });
  await gate(api, false);
  await signIn();
  await expect.element(button('Refresh')).toBeVisible();
  expect(page.getByRole('link', { name: /^Export/ }).elements()).toEqual([]);
  const zone = page.getByText(/^Times are in \S+.*\.$/);
  await expect.element(zone).toBeVisible();

  api.answers(endpoints.listAudit, { entries: [LOGS_EXPORTED], older: null });
  await page.getByRole('tab', { name: 'Audit trail' }).click();
  await expect.element(page.getByRole('cell', { name: 'API logs exported' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Export CSV' })).toBeVisible();
  await expect.element(zone).toBeVisible();
});

test('who exported what: the audit trail and one search for the word', async ({ api }) => {
  await openAdministrators(api);
  const asked: (string | undefined)[] = [];
  api.serves(endpoints.listAudit, ({ query }) => {
    asked.push(query.action);
    return { entries: [LOGS_EXPORTED], older: null };
  });
  await page.getByRole('tab', { name: 'Audit trail' }).click();
  await field('Action').fill('exported');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => asked).toEqual([undefined, 'exported']);
  for (const name of ['Grace Hopper', 'API logs exported', 'csv · EAC******3403']) {
    await expect.element(page.getByRole('cell', { name, exact: true })).toBeVisible();
  }
  const line = page.getByRole('row', { name: /API logs exported/ });
  expect(line.element().getBoundingClientRect().height).toBeLessThanOrEqual(44);
  (button('API logs exported').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  for (const [name = '', value = ''] of [
    ['Receipt number', 'EAC******3403'],
    ['Role', 'Owner'],
    ['From', '203.0.113.0/24'],
    ['Stored as', 'logs.exported'],
  ]) {
    await expect.element(page.getByRole('term').filter({ hasText: name })).toBeVisible();
    await expect.element(page.getByRole('definition').filter({ hasText: value })).toBeVisible();
  }
  await expectAccessibleEverywhere();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('logs.exported', { exact: true })).not.toBeInTheDocument();
});

const LOGS_EXPORTED: AuditEntry = {
  id: '0199d0c4-0000-4000-8000-00000000000a',
  at: '2026-11-22T10:00:00.000Z',
  actor: 'Grace Hopper',
  actorId: GRACE.id,
  role: 'owner',
  action: 'logs.exported',
  subject: 'logs',
  success: true,
  sessionId: '0199d0c4-0000-4000-8000-0000000000ed',
  address: '203.0.113.0/24',
  details: { format: 'csv', receiptNumber: 'EAC******3403' },
  seq: 1,
  hash: 'hash',
};

async function openAdministrators(api: FakeApi, provider: string | null = null): Promise<void> {
  api.answers(endpoints.getAdminSignInOptions, { provider, passcode: true });
  api.answers(endpoints.adminLogIn, { ...OPENED, admin: { name: 'passcode', role: 'owner' } });
  api.answers(endpoints.listAdministrators, [GRACE]);
  await showApp('/admin?tab=administrators');
  await page.getByLabelText('Passcode').fill('open sesame, please');
  await button('Access Admin Panel').click();
  await expect.element(page.getByRole('rowheader', { name: /Grace Hopper/ })).toBeVisible();
}

test('an owner invites, and gets a link to send', async ({ api }) => {
  await openAdministrators(api);
  await expectAccessibleEverywhere();
  const invited = {
    ...GRACE,
    id: '0199d0c4-0000-4000-8000-000000000002',
    email: 'ada@example.org',
    name: null,
  };
  const link = 'http://localhost:8080/admin/invitation#token';
  api.serves(endpoints.inviteAdministrator, ({ body }) => {
    expect(body).toEqual({ email: 'ada@example.org', role: 'survey-editor' });
    return { administrator: invited, link };
  });
  await field('Email').fill('ada@example.org');
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOptions('Survey editor');
  await expect.element(page.getByText('Creates surveys and sees their answers. Nothing else.')).toBeVisible();
  await button('Invite').click();
  await expect.element(page.getByText(link)).toBeVisible();
  await expect.element(field('Email')).toHaveValue('');
});

test('an address that is invited already says so at its field', async ({ api }) => {
  await openAdministrators(api);
  const error = 'An administrator with this email address already exists.';
  api.refuses(endpoints.inviteAdministrator, 'ADMINISTRATOR_EXISTS', error);
  await field('Email').fill(GRACE.email);
  await button('Invite').click();
  await expect.element(field('Email')).toHaveAccessibleDescription(error);
});

test('a removal is asked about first, and leaves the focus at the heading', async ({ api }) => {
  await openAdministrators(api);
  api.answers(endpoints.removeAdministrator, { ok: true });
  await button('Remove grace@example.org').click();
  await expect.element(page.getByRole('dialog', { name: 'Remove Grace Hopper?' })).toBeVisible();
  api.answers(endpoints.listAdministrators, []);
  await button('Remove administrator').click();
  await expect.element(page.getByText('No administrators yet. Invite the first one.')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Administrators' })).toHaveFocus();
});

test('the last owner stays, and the reason is shown', async ({ api }) => {
  await openAdministrators(api);
  api.refuses(endpoints.changeAdministrator, 'LAST_OWNER', 'This is the last owner.');
  await page.getByRole('combobox', { name: 'Role of Grace Hopper' }).selectOptions('Auditor');
  await expectToast('This is the last owner.');
  await expect.element(page.getByRole('combobox', { name: 'Role of Grace Hopper' })).toHaveValue('owner');
});

test('an invitation leads through name, password and app to the recovery codes', async ({ api }) => {
  api.answers(endpoints.openInvitation, {
    email: GRACE.email,
    role: 'auditor',
    secret: 'SKR5HTFA6CHXUWQ5YPYNQKURNWTB26R5',
    uri: 'otpauth://totp/Casewatch?secret=SKR5HTFA6CHXUWQ5YPYNQKURNWTB26R5',
  });
  await showApp('/admin/invitation');
  await expect.element(page.getByText('SKR5 HTFA 6CHX UWQ5 YPYN QKUR NWTB 26R5')).toBeVisible();
  await expect.element(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await expectAccessibleEverywhere();
  await button('Set up my account').click();
  await expect.element(field('Name')).toHaveFocus();
  await expect
    .element(field('Name'))
    .toHaveAccessibleDescription('It is shown in the audit trail. Name is required');
  api.answers(endpoints.acceptInvitation, {
    ...OPENED,
    admin: { name: 'Grace Hopper', role: 'auditor' },
    recoveryCodes: ['AAAA-BBBB-CCCC-DDDD', 'EEEE-FFFF-GGGG-HHHH'],
  });
  await field('Name').fill('Grace Hopper');
  await page.getByLabelText('Password').fill('a fairly long password');
  await field('Code').fill('123456');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'Save your recovery codes' })).toHaveFocus();
  await expect.element(page.getByText('EEEE-FFFF-GGGG-HHHH')).toBeVisible();
  await expectAccessibleEverywhere();
});

test('an invitation that was used says so, offers no second try, and gives way to another one in its tab', async ({
  api,
}) => {
  const error = 'This invitation has expired or was used already. Ask for a new one.';
  api.refuses(endpoints.openInvitation, 'INVITATION_NOT_FOUND', error);
  await showApp('/admin/invitation');
  await expect.element(page.getByRole('alert')).toHaveTextContent(error);
  await expect.element(button('Try again')).not.toBeInTheDocument();
  const opened = api.holds(endpoints.openInvitation);
  window.location.hash = '#another-token?utm_source=mail';
  await expect.poll(() => opened.map(({ body }) => body)).toEqual([{ token: 'another-token' }]);
});

test('a passkey opens the area in place of password and code, and a closed dialog says how to continue', async ({
  api,
}) => {
  const { get } = authenticator();
  api.answers(endpoints.startAdminPasskeySignIn, REQUEST);
  api.serves(endpoints.adminSignInWithPasskey, ({ body }) => {
    expect(body).toEqual({ assertion: ASSERTION });
    return { ...OPENED, admin: EDITOR };
  });
  api.answers(endpoints.listSurveys, []);
  await gate(api, false);
  get.mockRejectedValueOnce(dismissal());
  await button('Use a passkey').click();
  await expectToast('No passkey was used. Try again, or sign in with password and code.');
  await expectAccessibleEverywhere();
  await button('Use a passkey').click();
  await expect.element(page.getByRole('heading', { name: 'Surveys' })).toBeVisible();
});

const EDITOR: AdminIdentity = { name: 'Ada', role: 'survey-editor' };

const LAPTOP: Passkey = {
  id: '0199d0c4-0000-4000-8000-000000000009',
  name: 'Chrome on Linux',
  createdAt: '2026-11-20T10:00:00.000Z',
  lastUsedAt: null,
  isSynced: false,
};

test('administrators add and remove passkeys of their own', async ({ api }) => {
  authenticator();
  api.answers(endpoints.adminSignIn, { ...OPENED, admin: { name: 'Ada', role: 'survey-editor' } });
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode: false });
  api.answers(endpoints.listAdminPasskeys, []);
  await showApp('/admin?tab=account');
  await signIn();
  await expect.element(page.getByText('You have no passkeys yet.')).toBeVisible();
  await expectAccessibleEverywhere();
  const wrong = 'The password or the code is wrong. Each code works once.';
  api.refuses(endpoints.startAdminPasskeyRegistration, 'WRONG_PASSWORD', wrong);
  await page.getByLabelText('Password').fill('a fairly long password');
  await field('Code').fill('654321');
  await button('Add a passkey').click();
  await expectToast('No passkey added', wrong);

  api.answers(endpoints.startAdminPasskeyRegistration, CREATION);
  api.responds(endpoints.addAdminPasskey, 201, LAPTOP);
  api.answers(endpoints.listAdminPasskeys, [LAPTOP]);
  await button('Add a passkey').click();
  await expectToast('Passkey added', 'It is called Chrome on Linux.');
  await expect.element(field('Code')).toHaveValue('');
  await expectAccessibleEverywhere();

  api.answers(endpoints.removeAdminPasskey, { ok: true });
  await button(/^Remove Chrome on Linux/).click();
  await expect.element(page.getByRole('dialog', { name: 'Remove this passkey?' })).toBeVisible();
  api.answers(endpoints.listAdminPasskeys, []);
  await button('Remove passkey').click();
  await expectToast('Passkey removed');
  await expect.element(page.getByRole('heading', { name: 'Your passkeys' })).toHaveFocus();
});

test('in a narrow window the tab of the address is in view', async ({ api }) => {
  await page.viewport(390, 800);
  api.answers(endpoints.adminSignIn, { ...OPENED, admin: ADA });
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode: false });
  api.answers(endpoints.listAdminPasskeys, []);
  await showApp('/admin?tab=account');
  await signIn();
  await expect.element(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  const tab = page.getByRole('tab', { name: 'Your account' });
  await expect.poll(() => tab.element().getBoundingClientRect().right).toBeLessThanOrEqual(390);
  await page.viewport(1280, 800);
});

test('older entries of the audit trail that can not be loaded say so, and come with the next try', async ({
  api,
}) => {
  await openAdministrators(api);
  api.answers(endpoints.listAudit, { entries: [LOGS_EXPORTED], older: 'cursor' });
  await page.getByRole('tab', { name: 'Audit trail' }).click();
  await expect.element(button('Load older entries')).toBeVisible();
  api.refuses(endpoints.listAudit, 'INTERNAL');
  await button('Load older entries').click();
  await expect.element(page.getByText('Older entries could not be loaded. Please try again.')).toBeVisible();
  api.answers(endpoints.listAudit, { entries: [], older: null });
  await button('Load older entries').click();
  await expect.element(button('Load older entries')).not.toBeInTheDocument();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});
