import {
  DEFAULT_NOTIFICATION_SETTINGS,
  type NotificationSettings,
} from '@casewatch/contracts/notification-choices';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { readRecent, rememberRecent } from '../src/lib/recent-lookups.ts';
import { expectAccessible, expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER, NO_SUBSCRIPTION, PRO_USER } from './samples.ts';

async function showProfile(api: FakeApi, section = ''): Promise<void> {
  signedIn(api);
  api.answers(endpoints.listPrices, []);
  await showApp(`/profile${section}`);
  await expect.element(page.getByRole('navigation', { name: 'Sections of the profile' })).toBeVisible();
}

/** The settings as the server keeps them; each change is answered with what it makes of them. */
async function showChoices(api: FakeApi, offered: { emailOffered: boolean; pushOffered: boolean }) {
  const answer = { settings: DEFAULT_NOTIFICATION_SETTINGS, ...offered };
  api.answers(endpoints.getNotificationSettings, answer);
  await showProfile(api, '/notifications');
  const changes = api.holds(endpoints.changeNotificationSettings);
  return {
    answer,
    changes,
    /** Waits for a change and keeps it. */
    keep: async (nth: number) => {
      await expect.poll(() => changes.length).toBe(nth + 1);
      const settings = changes[nth]?.body as NotificationSettings;
      api.answers(endpoints.getNotificationSettings, { ...answer, settings });
      changes[nth]?.answer({ ...answer, settings });
      return settings;
    },
  };
}
const event = (name: string) => page.getByRole('group', { name });

test('each section of the profile has an address, is loaded by its link, and takes the focus to its heading', async ({
  api,
}) => {
  api.answers(endpoints.getNotificationSettings, {
    settings: DEFAULT_NOTIFICATION_SETTINGS,
    emailOffered: true,
    pushOffered: false,
  });
  await showProfile(api);
  await expect.element(page.getByRole('region', { name: 'Account Information' })).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Current Plan' })).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Password and devices' })).not.toBeInTheDocument();
  for (const [link, heading, region] of [
    ['Notifications', 'Notifications', 'Events and channels'],
    ['Security', 'Security', 'Password and devices'],
    ['Data', 'Data', 'Your data'],
    ['Account and plan', 'Profile', 'Current Plan'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await expect.element(page.getByRole('heading', { name: heading, level: 1 })).toHaveFocus();
    await expect.element(page.getByRole('region', { name: region })).toBeVisible();
    await expect.poll(() => document.title).toBe(`${heading} | Casewatch`);
    await expect
      .element(page.getByRole('link', { name: link, exact: true }))
      .toHaveAttribute('aria-current', 'page');
    await expect.element(page.getByTestId('nav-profile')).toHaveAttribute('aria-current', 'page');
  }
});

test('there is no section of another name', async ({ api }) => {
  signedIn(api);
  await showApp('/profile/billing');
  await expect.element(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
});

test('a change of the profile that fails says so and keeps what was typed', async ({ api }) => {
  await showProfile(api);
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
  api.refuses(endpoints.getNotificationSettings, 'UNAVAILABLE');
  await showApp('/profile');
  const plan = page.getByRole('region', { name: 'Current Plan' });
  await expect.element(plan).toMatchTextContent(/Your subscription could not be loaded\./);
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

  await page.getByRole('link', { name: 'Notifications', exact: true }).click();
  const choices = page.getByRole('region', { name: 'Events and channels' });
  await expect.element(choices).toMatchTextContent(/Your choices could not be loaded\./);
  await expectAccessibleEverywhere();
  api.answers(endpoints.getNotificationSettings, {
    settings: DEFAULT_NOTIFICATION_SETTINGS,
    emailOffered: true,
    pushOffered: false,
  });
  await choices.getByRole('button', { name: 'Try again' }).click();
  await expect.element(event('Status changes').getByRole('switch', { name: 'Email' })).toBeChecked();
});

test('what, where and when is chosen in a grid of events by channels, and each change is kept at once', async ({
  api,
}) => {
  const { keep } = await showChoices(api, { emailOffered: true, pushOffered: true });
  const plan = event('Your plan');
  const status = event('Status changes');
  // What happens to the plan has a date, and comes at once or never; its e-mails can't be turned off.
  await expect.element(plan.getByRole('switch', { name: 'Push' })).toBeChecked();
  await expect.element(plan.getByRole('combobox')).not.toBeInTheDocument();
  await expect.element(plan.getByRole('switch', { name: 'Email' })).not.toBeInTheDocument();

  await event('Statuses that need action').getByRole('switch', { name: 'Push' }).click();
  await expect
    .element(event('Statuses that need action').getByRole('switch', { name: 'Push' }))
    .not.toBeChecked();
  await keep(0);
  await status.getByLabelText('Email: when').selectOptions('Weekly digest');
  await keep(1);
  await page.getByLabelText('Time of day').selectOptions('6:00 PM');
  await keep(2);
  await page.getByLabelText('Day of the weekly digest').selectOptions('Sunday');
  await keep(3);
  await page.getByRole('switch', { name: 'Mute at night' }).click();
  await keep(4);
  await page.getByLabelText('Until').fill('06:30');
  // A key in the field only moves to its next part.
  await page.getByRole('heading', { level: 1 }).click();
  await keep(5);
  await page.getByLabelText('Time zone').selectOptions('America/New_York');
  const { bell, push, email } = DEFAULT_NOTIFICATION_SETTINGS;
  expect(await keep(6)).toEqual({
    bell,
    push: { ...push, needsAction: 'never' },
    email: { ...email, status: 'weekly' },
    quietHours: { from: '22:00', until: '06:30' },
    timeZone: 'America/New_York',
    digestHour: 18,
    digestDay: 7,
  });
  await page.viewport(320, 800);
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
});

test('a change turns nothing on that was stopped elsewhere in the meantime', async ({ api }) => {
  const { answer, changes } = await showChoices(api, { emailOffered: true, pushOffered: false });
  const status = event('Status changes');
  await expect.element(status.getByRole('switch', { name: 'Email' })).toBeChecked();
  // The link at the end of an e-mail, in another tab.
  const stopped = { ...DEFAULT_NOTIFICATION_SETTINGS.email, status: 'never' } as const;
  const settings = { ...answer.settings, email: stopped };
  api.answers(endpoints.getNotificationSettings, { ...answer, settings });
  await status.getByRole('switch', { name: 'In the app' }).click();
  await expect
    .poll(() => changes.map(({ body }) => body))
    .toMatchObject([{ email: stopped, bell: { status: 'never', needsAction: 'immediately' } }]);
  changes[0]?.answer({ ...answer, settings: { ...settings, bell: { ...settings.bell, status: 'never' } } });
  await expect.element(status.getByRole('switch', { name: 'Email' })).not.toBeChecked();
});

test('push messages are collected for a day, where there are no e-mails too', async ({ api }) => {
  const { keep } = await showChoices(api, { emailOffered: false, pushOffered: true });
  const digest = page.getByRole('group', { name: 'Digest' });
  await expect.element(digest).toMatchTextContent(/one message that says how many cases changed/);
  await expect
    .element(digest.getByLabelText('Send a summary even if nothing changed'))
    .not.toBeInTheDocument();
  await expect.element(page.getByLabelText('Time of day')).not.toBeInTheDocument();
  await event('Status changes').getByLabelText('Push: when').selectOptions('Daily digest');
  await keep(0);
  await digest.getByLabelText('Time of day').selectOptions('7:00 AM');
  expect(await keep(1)).toMatchObject({
    push: { ...DEFAULT_NOTIFICATION_SETTINGS.push, status: 'daily' },
    digestHour: 7,
  });
  await expect.element(page.getByLabelText('Time zone')).toBeVisible();
  await expectAccessible();
});

test('a switch goes back when its change could not be kept', async ({ api }) => {
  const { changes } = await showChoices(api, { emailOffered: false, pushOffered: false });
  const bell = event('Your plan').getByRole('switch');
  // Only the bell where nothing else is offered.
  await expect.element(bell).toHaveAccessibleName('In the app');
  await bell.click();
  await expect.element(bell).not.toBeChecked();
  await expect.poll(() => changes.length).toBe(1);
  changes[0]?.refuse('INTERNAL', '');
  await expectToast('Error', 'Failed to update notifications. Please try again.');
  await expect.element(bell).toBeChecked();
  await expect.element(bell).toHaveFocus();
});

test('of two switches pressed at once the one that could not be kept says so and goes back, and the other stays', async ({
  api,
}) => {
  const { answer, changes } = await showChoices(api, { emailOffered: false, pushOffered: false });
  const status = event('Status changes').getByRole('switch');
  const plan = event('Your plan').getByRole('switch');
  await status.click();
  await plan.click();
  await expect.poll(() => changes.length).toBe(1);
  changes[0]?.refuse('INTERNAL', '');
  await expectToast('Error', 'Failed to update notifications. Please try again.');
  await expect.poll(() => changes.length).toBe(2);
  await expect.element(plan).not.toBeChecked();
  const bell = { ...answer.settings.bell, billing: 'never' } as const;
  expect(changes[1]?.body).toMatchObject({ bell });
  changes[1]?.answer({ ...answer, settings: { ...answer.settings, bell } });
  await expect.element(status).toBeChecked();
  await expect.element(plan).not.toBeChecked();
});

test('a change of something else leaves the time zone that was chosen on another device', async ({ api }) => {
  const { answer, changes } = await showChoices(api, { emailOffered: true, pushOffered: false });
  const settings = { ...answer.settings, timeZone: 'Pacific/Honolulu' };
  api.answers(endpoints.getNotificationSettings, { ...answer, settings });
  await event('Status changes').getByRole('switch', { name: 'In the app' }).click();
  await expect.poll(() => changes[0]?.body).toMatchObject({ timeZone: 'Pacific/Honolulu' });
  changes[0]?.answer({ ...answer, settings });
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
  await showProfile(api, '/data');
  api.answers(endpoints.deleteAccount, { ok: true });
  await button('Delete account').click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabelText('Type DELETE to confirm').fill('DELETE');
  await dialog.getByLabelText('Current Password').fill('a fairly long password');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expectToast('Account deleted');
  expect(readRecent(() => localStorage, FREE_USER.id)).toEqual([]);
});
