import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
import { button, expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';

const NOTICES = 'E-mail me when a case moves';

async function showProfile(
  api: FakeApi,
  preferences: { email: boolean; emailOffered: boolean },
): Promise<void> {
  signedIn(api);
  api.answers(endpoints.listPrices, []);
  api.answers(endpoints.getNotificationPreferences, preferences);
  await showApp('/profile');
  await expect.element(page.getByRole('region', { name: 'Password and Devices' })).toBeVisible();
}

test('a change of the profile that fails says so and keeps what was typed', async ({ api }) => {
  await showProfile(api, { email: true, emailOffered: false });
  api.refuses(endpoints.changeProfile, 'INTERNAL', '');
  await button('Edit name and role').click();
  const role = page.getByLabelText('Role (Optional)');
  await role.fill('Attorney');
  await userEvent.keyboard('{Enter}');
  await expectToast('Error', 'Failed to update profile');
  await expect.element(role).toHaveValue('Attorney');
  await userEvent.keyboard('{Escape}');
  await expect.element(role).not.toBeInTheDocument();
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
  await expectToast('Updated', 'You will get no more e-mails.');
  await expect.element(choice).not.toBeChecked();
  await userEvent.keyboard(' ');
  await expect.poll(() => changes.length).toBe(2);
  changes[1]?.answer({ email: true, emailOffered: true });
  await expectToast('Updated', 'You will get an e-mail when a case moves.');
  await expect.element(choice).toBeChecked();

  api.refuses(endpoints.changeNotificationPreferences, 'INTERNAL', '');
  await choice.click();
  await expectToast('Error', 'Failed to update notifications');
  await expect.element(choice).toBeChecked();
});

test('the link of an e-mail asks before it stops them, signed in or not', async ({ api }) => {
  const sent = api.holds(endpoints.unsubscribe);
  window.location.hash = '#a.token';
  await showApp('/unsubscribe');
  const question = page.getByRole('heading', { name: 'Stop e-mails about your cases?', level: 1 });
  await expect.element(question).toBeVisible();
  await expectAccessible();
  expect(sent).toHaveLength(0);
  await button('Stop e-mails').click();
  await expect.poll(() => sent.map(({ query }) => query)).toEqual([{ token: 'a.token' }]);
  sent[0]?.answer({ ok: true });
  await expect.element(page.getByRole('heading', { name: 'You are unsubscribed', level: 1 })).toBeVisible();
  await expectAccessible();
});
