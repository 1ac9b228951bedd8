import { signInPath } from '@casewatch/contracts/app-pages';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER } from './samples.ts';

const TOKEN = 'a-token_of-43-characters-0123456789-ABCDEFG';
const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'another long sentence';
const field = (name: string) => page.getByLabelText(name, { exact: true });
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

async function showSignedOut(api: FakeApi, path: string): Promise<void> {
  signedIn(api);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await showApp(path);
}

async function openLink(path: string, hash = `#${TOKEN}`): Promise<void> {
  window.location.hash = hash;
  await showApp(path);
}

test('from the sign-in the typed address leads to a link by email, and the screen says the same for every address', async ({
  api,
}) => {
  await showSignedOut(api, '/auth');
  await field('Email').fill('ada@example.org');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect.element(heading('Forgot your password?')).toHaveFocus();
  await expect.element(field('Email')).toHaveValue('ada@example.org');
  await expectAccessibleEverywhere();
  const sent = api.holds(endpoints.requestPasswordReset);
  await button('Send link').click();
  await expect.element(button('Sending...')).toBeDisabled();
  expect(sent.map(({ body }) => body)).toEqual([{ email: 'ada@example.org' }]);
  sent[0]?.respond(202, { ok: true });
  await expect.element(heading('Check your email')).toHaveFocus();
  await expect
    .element(page.getByRole('status'))
    .toMatchTextContent('If there is an account for ada@example.org');
  await expectAccessibleEverywhere();
  await button('Try again').click();
  await expect.element(heading('Forgot your password?')).toBeVisible();
});

test('a request that is refused says why and keeps the address', async ({ api }) => {
  await showSignedOut(api, '/forgot-password');
  await field('Email').fill('nobody');
  await button('Send link').click();
  await expect.element(field('Email')).toHaveAccessibleDescription('Invalid email address');
  await field('Email').fill('ada@example.org');
  api.refuses(
    endpoints.requestPasswordReset,
    'RATE_LIMITED',
    'Too many emails. Please try again in 20 minutes.',
  );
  await button('Send link').click();
  await expectToast('Error', 'Too many emails. Please try again in 20 minutes.');
  await expect.element(field('Email')).toHaveValue('ada@example.org');
});

test('opening the link of an email sends nothing; the form sets the new password', async ({ api }) => {
  const resets = api.holds(endpoints.resetPassword);
  await openLink('/reset-password');
  await expect.element(heading('Choose a new password')).toBeVisible();
  expect(resets).toHaveLength(0);
  await expectAccessibleEverywhere();
  await field('New Password').fill('short');
  await button('Change password').click();
  await expect
    .element(field('New Password'))
    .toHaveAccessibleDescription('Password must be at least 8 characters');
  await field('New Password').fill(NEW_PASSWORD);
  await button('Change password').click();
  await expect
    .poll(() => resets.map(({ body }) => body))
    .toEqual([{ token: TOKEN, newPassword: NEW_PASSWORD }]);
  resets[0]?.answer({ ok: true, isFirstProof: true });
  await expect.element(heading('Password changed')).toHaveFocus();
  await expect
    .element(page.getByRole('status'))
    .toMatchTextContent('passkeys that were added before were removed');
  await expect.element(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth');
  await expectAccessibleEverywhere();
});

test('a refused password stays in the form, beneath it the reason', async ({ api }) => {
  await openLink('/reset-password');
  const error = 'This password is too common.';
  api.responds(endpoints.resetPassword, 400, {
    error,
    code: 'VALIDATION',
    details: [{ path: 'newPassword', message: error }],
  });
  await field('New Password').fill('password1');
  await userEvent.keyboard('{Enter}');
  await expect.element(field('New Password')).toHaveAccessibleDescription(error);
  await expect.element(field('New Password')).toHaveFocus();
});

test.for([
  ['an expired or used', `#${TOKEN}`, 'Change password'],
  ['a cut off', '#a-tok', undefined],
  ['an empty', '', undefined],
] as const)('%s link leads to a new one', async ([, hash, action], { api }) => {
  api.refuses(endpoints.resetPassword, 'LINK_INVALID', 'This link is no longer valid.');
  await openLink('/reset-password', hash);
  if (action) {
    await field('New Password').fill(NEW_PASSWORD);
    await button(action).click();
  }
  await expect.element(heading('This link does not work')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Request a new link' }))
    .toHaveAttribute('href', '/forgot-password');
  await expectAccessibleEverywhere();
});

test.for(['?utm_source=mail', '&amp;utm_medium=email', '%3Futm_source=mail', '.', '>'])(
  'a link works with %s behind it, as mail programs append it',
  async (appended, { api }) => {
    const sent = api.holds(endpoints.stopEmailChange);
    await openLink('/stop-email-change', `#${TOKEN}${appended}`);
    await button('Stop the change').click();
    await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  },
);

test('a new link that is opened in the tab of one that does not work takes its place', async ({ api }) => {
  api.refuses(endpoints.resetPassword, 'LINK_INVALID', 'This link is no longer valid.');
  await openLink('/reset-password');
  await field('New Password').fill(NEW_PASSWORD);
  await button('Change password').click();
  await expect.element(heading('This link does not work')).toBeVisible();
  const sent = api.holds(endpoints.resetPassword);
  const newer = TOKEN.replace('a', 'b');
  window.location.hash = `#${newer}`;
  await field('New Password').fill(NEW_PASSWORD);
  await button('Change password').click();
  await expect
    .poll(() => sent.map(({ body }) => body))
    .toEqual([{ token: newer, newPassword: NEW_PASSWORD }]);
});

test('an address is confirmed with the password, and not by opening the link', async ({ api }) => {
  const confirmed = api.holds(endpoints.confirmEmail);
  await openLink('/confirm-email');
  await expect.element(heading('Confirm your email address')).toBeVisible();
  expect(confirmed).toHaveLength(0);
  await expectAccessibleEverywhere();
  await button('Confirm email address').click();
  await expect.element(field('Password')).toHaveFocus();
  expect(confirmed).toHaveLength(0);
  await field('Password').fill(PASSWORD);
  await button('Confirm email address').click();
  const body = { token: TOKEN, currentPassword: PASSWORD };
  await expect.poll(() => confirmed.map((one) => one.body)).toEqual([body]);
  confirmed[0]?.answer({ ok: true, isFirstProof: true });
  await expect.element(heading('Email address confirmed')).toHaveFocus();
  await expect.element(page.getByRole('status')).toMatchTextContent('all other devices were logged out');
  await expectAccessibleEverywhere();
});

test('a person who did not create the account that a link would confirm is led to a new password', async ({
  api,
}) => {
  const text = 'The current password is not correct. Please try again.';
  api.refuses(endpoints.confirmEmail, 'WRONG_PASSWORD', text);
  await openLink('/confirm-email');
  await field('Password').fill('a guess');
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Password')).toHaveAccessibleDescription(text);
  await expectAccessibleEverywhere();
  await expect
    .element(page.getByRole('link', { name: 'Choose a new password' }))
    .toHaveAttribute('href', '/forgot-password');
});

test('a changed address that is confirmed says nothing about other devices', async ({ api }) => {
  api.answers(endpoints.confirmEmail, { ok: true, isFirstProof: false });
  await openLink('/confirm-email');
  await field('Password').fill(PASSWORD);
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Email address confirmed')).toHaveFocus();
  await expect.element(page.getByRole('status')).not.toMatchTextContent('other devices');
  await expect
    .element(page.getByRole('link', { name: 'upgrade to Pro' }))
    .toHaveAttribute('href', '/upgrade');
});

test('a change of address is stopped by a click, and not by opening the link, and leads to a new password', async ({
  api,
}) => {
  const stopped = api.holds(endpoints.stopEmailChange);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await openLink('/stop-email-change');
  await expect.element(heading('Stop the change of your email address?')).toBeVisible();
  expect(stopped).toHaveLength(0);
  await expectAccessibleEverywhere();
  await button('Stop the change').click();
  await expect.element(button('Stopping the change...')).toBeDisabled();
  expect(stopped.map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  stopped[0]?.answer({ ok: true });
  await expect.element(heading('Change stopped')).toHaveFocus();
  await expect
    .element(page.getByRole('link', { name: 'Choose a new password' }))
    .toHaveAttribute('href', '/forgot-password');
  await expectAccessibleEverywhere();
});

test('a stop that fails says why, and can be tried again', async ({ api }) => {
  await openLink('/stop-email-change');
  api.refuses(endpoints.stopEmailChange, 'UNAVAILABLE', 'Please try again in a moment.');
  await button('Stop the change').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('Please try again in a moment.');
  const again = api.holds(endpoints.stopEmailChange);
  await button('Stop the change').click();
  await expect.poll(() => again.length).toBe(1);
});

test.for([
  ['an expired or used', `#${TOKEN}`],
  ['a cut off', '#a-tok'],
] as const)('%s link to stop a change says so, and leads to a new password', async ([, hash], { api }) => {
  api.refuses(endpoints.stopEmailChange, 'LINK_INVALID', 'This link is no longer valid.');
  await openLink('/stop-email-change', hash);
  if (hash === `#${TOKEN}`) await button('Stop the change').click();
  await expect.element(heading('This link does not work')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Choose a new password' }))
    .toHaveAttribute('href', '/forgot-password');
  await expectAccessibleEverywhere();
});

test('a link to confirm an address that does not work leads to the profile, through the sign-in', async ({
  api,
}) => {
  window.location.hash = '#a-tok';
  await showSignedOut(api, '/confirm-email');
  const profile = page.getByRole('link', { name: 'Open your profile' });
  await expect.element(profile).toHaveAttribute('href', signInPath('/profile'));
  await profile.click();
  await expect.element(button('Sign In')).toBeVisible();
});

test('a link for an address that another account has proven in the meantime says so', async ({ api }) => {
  const text = 'An account with this email address already exists.';
  api.refuses(endpoints.confirmEmail, 'EMAIL_TAKEN', text);
  await openLink('/confirm-email');
  await field('Password').fill(PASSWORD);
  await button('Confirm email address').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent(text);
});

test('until the address is proven every screen says what waits for that, and sends the link again', async ({
  api,
}) => {
  signedIn(api, { ...FREE_USER, emailVerified: false });
  await showApp('/');
  const notice = page.getByRole('region', { name: 'Email address not confirmed' });
  await expect.element(heading('Immigration Case Status')).toBeVisible();
  await expect.element(notice).toMatchTextContent(FREE_USER.email);
  await expectAccessibleEverywhere();
  const sent = api.holds(endpoints.sendConfirmation);
  await notice.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => sent.length).toBe(1);
  sent[0]?.respond(202, { ok: true });
  await expectToast('Link sent', 'Check your inbox, and your spam folder.');
  // The link was opened in another tab; this one looks when it is shown again.
  api.answers(endpoints.getMe, FREE_USER);
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.element(notice).not.toBeInTheDocument();
});

test('the request to confirm the address is one line on every width, and stays closed for the session', async ({
  api,
}) => {
  const email = 'a-rather-long-name-of-an-applicant@mail.a-long-domain.example.org';
  signedIn(api, { ...FREE_USER, email, emailVerified: false });
  await showApp('/');
  const notice = page.getByRole('region', { name: 'Email address not confirmed' });
  for (const width of [320, 390, 768, 1024, 1280]) {
    await page.viewport(width, 800);
    const words = notice.element().querySelector('p');
    await expect.poll(() => (words?.scrollWidth ?? 0) - (words?.clientWidth ?? 0)).toBeLessThanOrEqual(0);
    await expect.poll(() => notice.element().getBoundingClientRect().height).toBeLessThan(52);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
  await notice.getByRole('button', { name: 'Close the notice' }).click();
  await expect.element(notice).not.toBeInTheDocument();
  await cleanup();
  await showApp('/');
  await expect.element(heading('Immigration Case Status')).toBeVisible();
  await expect.element(notice).not.toBeInTheDocument();
});

test.for([true, false])(
  'while the address accepts no mail every screen says so and leads to where it is changed (proven: %s)',
  async (emailVerified, { api }) => {
    signedIn(api, { ...FREE_USER, emailVerified, emailRefused: true });
    api.answers(endpoints.listPrices, []);
    await showApp('/');
    const notice = page.getByRole('region', { name: 'Email address not working' });
    await expect.element(notice).toMatchTextContent(FREE_USER.email);
    const unconfirmed = page.getByRole('region', { name: 'Email address not confirmed' });
    await expect.element(unconfirmed).not.toBeInTheDocument();
    await expectAccessibleEverywhere();
    await notice.getByRole('link', { name: 'Change email address' }).click();
    await expect
      .element(page.getByRole('definition').filter({ hasText: FREE_USER.email }))
      .toMatchTextContent('Does not accept mail');
    // It was changed in another tab; this one looks when it is shown again.
    api.answers(endpoints.getMe, FREE_USER);
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.element(notice).not.toBeInTheDocument();
  },
);

test('a changed address says that it waits for the link, and stays the old one', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPrices, []);
  api.answers(endpoints.changeEmail, FREE_USER);
  await showApp('/profile');
  await button('Change email').click();
  await field('Email').fill('new@example.org');
  await field('Current Password').fill('correct horse 1');
  await userEvent.keyboard('{Enter}');
  await expectToast('Check your email');
  await expect.element(page.getByRole('definition').filter({ hasText: FREE_USER.email })).toBeVisible();
});

test('the profile lists where the account is signed in, and signs out one device', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPrices, []);
  const session = {
    id: 'a3a0a7a5-6d5e-4a77-8d2a-0b4b7e6f1a01',
    device: 'Firefox on Windows',
    network: '198.51.100.0/24',
    createdAt: '2026-01-05T12:00:00.000Z',
    lastSeenAt: '2026-01-05T12:30:00.000Z',
    isCurrent: true,
  };
  const phone = {
    ...session,
    id: 'a3a0a7a5-6d5e-4a77-8d2a-0b4b7e6f1a02',
    device: 'Safari on iPhone',
    isCurrent: false,
  };
  api.answers(endpoints.listSessions, [session, phone]);
  await showApp('/profile/security');
  await expect.element(page.getByText('Firefox on Windows')).toBeVisible();
  await expect.element(page.getByText('This device')).toBeVisible();
  await expectAccessibleEverywhere();
  const ended = api.holds(endpoints.endSession);
  await page.getByRole('button', { name: /^Log out Safari on iPhone/ }).click();
  await expect.poll(() => ended.map(({ params }) => params)).toEqual([{ id: phone.id }]);
  api.answers(endpoints.listSessions, [session]);
  ended[0]?.answer({ ok: true });
  await expectToast('Logged out', 'Safari on iPhone has been logged out.');
  await expect.element(page.getByText('Safari on iPhone', { exact: true })).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { name: 'Where you are signed in' })).toHaveFocus();
});

test('the sign-up has its own title, keeps the typed address, and can show the password', async ({ api }) => {
  await showSignedOut(api, '/auth');
  await expect.poll(() => document.title).toContain('Sign In');
  await field('Email').fill('ada@example.org');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await expect.poll(() => document.title).toContain('Sign Up');
  await expect.element(page.getByText('Sign up to check your immigration case status')).toBeVisible();
  await expect.element(field('Email')).toHaveValue('ada@example.org');
  await field('Password').fill(NEW_PASSWORD);
  await expect.element(field('Password')).toHaveAttribute('type', 'password');
  await button('Show password').click();
  await expect.element(field('Password')).toHaveAttribute('type', 'text');
  await expect.element(field('Password')).toHaveValue(NEW_PASSWORD);
  await expect.element(button('Show password')).toHaveAttribute('aria-pressed', 'true');
  await expectAccessibleEverywhere();
  await field('Email').fill('grace@example.org');
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await expect.element(field('Email')).toHaveValue('grace@example.org');
});

test('the upgrade asks to confirm the address first, and a link that can not be sent says why', async ({
  api,
}) => {
  signedIn(api, { ...FREE_USER, emailVerified: false });
  api.answers(endpoints.listPrices, []);
  await showApp('/upgrade');
  const step = page.getByRole('region', { name: 'One step before Pro' });
  await expect.element(step).toMatchTextContent(FREE_USER.email);
  await expectAccessibleEverywhere();
  api.responds(endpoints.sendConfirmation, 429, {
    error: 'Too many emails. Please try again in 20 minutes.',
  });
  await step.getByRole('button', { name: 'Send again' }).click();
  await expectToast('Error', 'Too many emails. Please try again in 20 minutes.');
});
