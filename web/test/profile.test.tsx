import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { readRecent, rememberRecent } from '../src/lib/recent-lookups.ts';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER, NO_SUBSCRIPTION, PRO_USER } from './samples.ts';

const NOTICES = 'Email me when a case’s status changes';

async function showProfile(
  api: FakeApi,
  preferences: { email: boolean; emailOffered: boolean },
): Promise<void> {
  signedIn(api);
  api.answers(endpoints.listPrices, []);
  api.answers(endpoints.getNotificationPreferences, preferences);
  await showApp('/profile');
  await expect.element(page.getByRole('region', { name: 'Password and devices' })).toBeVisible();
}

test('a change of the profile that fails says so and keeps what was typed', async ({ api }) => {
  await showProfile(api, { email: true, emailOffered: false });
  api.refuses(endpoints.changeProfile, 'INTERNAL', '');
  await button('Edit name and role').click();
  const role = page.getByLabelText('Role (Optional)');
  await role.fill('Attorney');
  await userEvent.keyboard('{Enter}');
  await expectToast('Error', 'Failed to update profile. Please try again.');
  await expect.element(role).toHaveValue('Attorney');
  await userEvent.keyboard('{Escape}');
  await expect.element(role).not.toBeInTheDocument();
});

test('what the profile could not load it says, and loads on request', async ({ api }) => {
  signedIn(api, PRO_USER);
  api.refuses(endpoints.getSubscription, 'UNAVAILABLE');
  api.refuses(endpoints.getNotificationPreferences, 'UNAVAILABLE');
  await showApp('/profile');
  const plan = page.getByRole('region', { name: 'Current Plan' });
  const notices = page.getByRole('region', { name: 'Notifications', exact: true });
  await expect.element(plan).toMatchTextContent(/Your subscription could not be loaded\./);
  await expect.element(notices).toMatchTextContent(/Your choices could not be loaded\./);
  await expectAccessibleEverywhere();
  api.answers(endpoints.getSubscription, {
    ...NO_SUBSCRIPTION,
    tier: 'pro',
    status: 'active',
    canCancel: true,
  });
  api.answers(endpoints.listInvoices, []);
  await plan.getByRole('button', { name: 'Try again' }).click();
  await expect.element(button('Cancel subscription')).toBeVisible();
  api.answers(endpoints.getNotificationPreferences, { email: true, emailOffered: true });
  await notices.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('switch', { name: NOTICES })).toBeChecked();
});

test('e-mails are switched off and on in the profile', async ({ api }) => {
  await showProfile(api, { email: true, emailOffered: true });
  const choice = page.getByRole('switch', { name: NOTICES });
  await expect.element(choice).toBeChecked();
  await expectAccessible();
  const changes = api.holds(endpoints.changeNotificationPreferences);
  await choice.click();
  await expect.poll(() => changes.map(({ body }) => body)).toEqual([{ email: false }]);
  changes[0]?.answer({ email: false, emailOffered: true });
  await expectToast('Updated', 'You won’t get emails about your cases.');
  await expect.element(choice).not.toBeChecked();
  await userEvent.keyboard(' ');
  await expect.poll(() => changes.length).toBe(2);
  changes[1]?.answer({ email: true, emailOffered: true });
  await expectToast('Updated', 'You will get an email when a case’s status changes.');
  await expect.element(choice).toBeChecked();

  api.refuses(endpoints.changeNotificationPreferences, 'INTERNAL', '');
  await choice.click();
  await expectToast('Error', 'Failed to update notifications. Please try again.');
  await expect.element(choice).toBeChecked();
});

test('what, where and when is chosen in a form that fits every width, and kept with a click', async ({
  api,
}) => {
  await showProfile(api, { email: true, emailOffered: true });
  const answer = { settings: DEFAULT_NOTIFICATION_SETTINGS, emailOffered: true, pushOffered: true };
  api.answers(endpoints.getNotificationSettings, answer);
  await button('Choose notifications').click();
  const urgent = page.getByRole('group', { name: 'Statuses that need action' });
  await urgent.getByLabelText('Push').selectOptions('Never');
  const plan = page.getByRole('group', { name: 'Your plan' });
  // What happens to the plan has a date, and comes at once or never.
  await expect.element(plan.getByLabelText('Push').getByRole('option')).toHaveLength(2);
  const status = page.getByRole('group', { name: 'Status changes' });
  await expect.element(status).toHaveFocus();
  await status.getByLabelText('Email').selectOptions('Weekly digest');
  await page.getByLabelText('Time of day').selectOptions('6:00 PM');
  await page.getByLabelText('Day of the weekly digest').selectOptions('Sunday');
  await page.getByLabelText('Mute at night').click();
  await page.getByLabelText('Until').fill('06:30');
  await page.getByLabelText('Time zone').selectOptions('America/New_York');
  // E-mails about the plan can't be turned off.
  await expect.element(plan.getByLabelText('Email')).not.toBeInTheDocument();
  for (const width of [320, 1280]) {
    await page.viewport(width, 800);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await expectAccessible();
  }

  const saved = api.holds(endpoints.changeNotificationSettings);
  await button('Save choices').click();
  const { bell, push, email } = DEFAULT_NOTIFICATION_SETTINGS;
  const settings = {
    bell,
    push: { ...push, needsAction: 'never' },
    email: { ...email, status: 'weekly' },
    quietHours: { from: '22:00', until: '06:30' },
    timeZone: 'America/New_York',
    digestHour: 18,
    digestDay: 7,
  } as const;
  await expect.poll(() => saved.map(({ body }) => body)).toEqual([settings]);
  saved[0]?.answer({ ...answer, settings });
  await expectToast('Updated', 'Your notifications have been updated.');
  await expect.element(button('Choose notifications')).toHaveFocus();
});

test('choices that are opened again are those of now: saving turns nothing on that was stopped in the meantime', async ({
  api,
}) => {
  await showProfile(api, { email: true, emailOffered: true });
  const answer = { settings: DEFAULT_NOTIFICATION_SETTINGS, emailOffered: true, pushOffered: false };
  api.answers(endpoints.getNotificationSettings, answer);
  await button('Choose notifications').click();
  const email = page.getByRole('group', { name: 'Status changes' }).getByLabelText('Email');
  await expect.element(email).toHaveValue('immediately');
  await button('Cancel').click();

  // The link at the end of an e-mail, in another tab.
  const stopped = { ...DEFAULT_NOTIFICATION_SETTINGS.email, status: 'never' } as const;
  api.answers(endpoints.getNotificationSettings, {
    ...answer,
    settings: { ...answer.settings, email: stopped },
  });
  await button('Choose notifications').click();
  await expect.element(email).toHaveValue('never');
  const saved = api.holds(endpoints.changeNotificationSettings);
  await button('Save choices').click();
  await expect.poll(() => saved.map(({ body }) => body)).toMatchObject([{ email: stopped }]);
  saved[0]?.answer(answer);
  await expectToast('Updated');
});

test('push messages are collected for a day, where there are no e-mails too', async ({ api }) => {
  await showProfile(api, { email: true, emailOffered: false });
  const answer = { settings: DEFAULT_NOTIFICATION_SETTINGS, emailOffered: false, pushOffered: true };
  api.answers(endpoints.getNotificationSettings, answer);
  await button('Choose notifications').click();
  const digest = page.getByRole('group', { name: 'Digest' });
  await expect.element(digest).toMatchTextContent(/one message that says how many cases changed/);
  await expect
    .element(digest.getByLabelText('Send a summary even if nothing changed'))
    .not.toBeInTheDocument();
  await expect.element(page.getByLabelText('Time of day')).not.toBeInTheDocument();
  const status = page.getByRole('group', { name: 'Status changes' });
  await status.getByLabelText('Push').selectOptions('Daily digest');
  await digest.getByLabelText('Time of day').selectOptions('7:00 AM');
  await expect.element(page.getByLabelText('Time zone')).toBeVisible();
  await page.viewport(320, 800);
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  await expectAccessible();
  const saved = api.holds(endpoints.changeNotificationSettings);
  await button('Save choices').click();
  await expect
    .poll(() => saved.map(({ body }) => body))
    .toMatchObject([{ push: { ...DEFAULT_NOTIFICATION_SETTINGS.push, status: 'daily' }, digestHour: 7 }]);
  saved[0]?.answer(answer);
  await expectToast('Updated');
});

test('choices that can not be kept stay in the form', async ({ api }) => {
  await showProfile(api, { email: true, emailOffered: false });
  const answer = { settings: DEFAULT_NOTIFICATION_SETTINGS, emailOffered: false, pushOffered: false };
  api.answers(endpoints.getNotificationSettings, answer);
  await button('Choose notifications').click();
  // Only the bell where nothing else is offered.
  await expect.element(page.getByLabelText('Email', { exact: true })).not.toBeInTheDocument();
  const bell = page.getByRole('group', { name: 'Your plan' }).getByLabelText('In the app');
  await bell.selectOptions('Never');
  api.refuses(endpoints.changeNotificationSettings, 'INTERNAL', '');
  await button('Save choices').click();
  await expectToast('Error', 'Failed to update notifications. Please try again.');
  await expect.element(bell).toHaveValue('never');
  await button('Cancel').click();
  await expect.element(button('Choose notifications')).toHaveFocus();
});

test('the link of an e-mail of one kind names the kind, and offers to stop all', async ({ api }) => {
  const sent = api.holds(endpoints.unsubscribe);
  window.location.hash = '#user.needsAction.signature';
  await showApp('/unsubscribe');
  const question = page.getByRole('heading', {
    name: 'Stop emails about statuses that need action?',
    level: 1,
  });
  await expect.element(question).toBeVisible();
  await expect.element(page.getByText(/^You could miss a deadline\. You will still get/)).toBeVisible();
  await expectAccessible();
  await button('Stop all emails about my cases').click();
  await expect
    .poll(() => sent.map(({ query }) => query))
    .toEqual([{ token: 'user.needsAction.signature', all: 'true' }]);
  sent[0]?.answer({ ok: true });
  await expect
    .element(page.getByText('You won’t get emails when a case’s status changes.', { exact: false }))
    .toBeVisible();
});

test('the link of an e-mail asks before it stops them, signed in or not', async ({ api }) => {
  const sent = api.holds(endpoints.unsubscribe);
  window.location.hash = '#a.token';
  await showApp('/unsubscribe');
  const question = page.getByRole('heading', { name: 'Stop emails about your cases?', level: 1 });
  await expect.element(question).toBeVisible();
  await expectAccessible();
  expect(sent).toHaveLength(0);
  await button('Stop emails').click();
  await expect.poll(() => sent.map(({ query }) => query)).toEqual([{ token: 'a.token' }]);
  sent[0]?.answer({ ok: true });
  await expect.element(page.getByRole('heading', { name: 'You are unsubscribed', level: 1 })).toBeVisible();
  await expectAccessible();
});

test('the link of an e-mail stops the e-mails with what a mail program has appended to it, and so does the next one in its tab', async ({
  api,
}) => {
  const sent = api.holds(endpoints.unsubscribe);
  window.location.hash = '#user.digest.signature?utm_source=mail';
  await showApp('/unsubscribe');
  await button('Stop emails').click();
  await expect.poll(() => sent.map(({ query }) => query)).toEqual([{ token: 'user.digest.signature' }]);
  sent[0]?.answer({ ok: true });
  await expect.element(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
  window.location.hash = '#user.status.signature';
  await expect
    .element(page.getByRole('heading', { name: 'Stop emails about status changes?' }))
    .toBeVisible();
});

test('with an account goes what this device remembers of its lookups', async ({ api }) => {
  const lookup = { receiptNumber: 'EAC9999103402', status: 'Case Was Approved' };
  rememberRecent(() => localStorage, FREE_USER.id, lookup);
  await showProfile(api, { email: true, emailOffered: false });
  api.answers(endpoints.deleteAccount, { ok: true });
  await button('Delete account').click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabelText('Type DELETE to confirm').fill('DELETE');
  await dialog.getByLabelText('Current Password').fill('a fairly long password');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expectToast('Account deleted');
  expect(readRecent(() => localStorage, FREE_USER.id)).toEqual([]);
});
