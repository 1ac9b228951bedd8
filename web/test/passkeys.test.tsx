import type { Passkey } from '@casewatch/contracts/passkeys';
import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
import { ASSERTION, authenticator, CREATION, CREDENTIAL, dismissal, REQUEST } from './authenticator.ts';
import { button, expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER } from './samples.ts';

const LAPTOP: Passkey = {
  id: 'a3a0a7a5-6d5e-4a77-8d2a-0b4b7e6f1a01',
  name: 'Chrome on Linux',
  createdAt: '2026-01-05T12:00:00.000Z',
  lastUsedAt: '2026-01-06T12:30:00.000Z',
  isSynced: false,
};
const PHONE: Passkey = {
  ...LAPTOP,
  id: 'a3a0a7a5-6d5e-4a77-8d2a-0b4b7e6f1a02',
  name: 'Safari on iPhone',
  lastUsedAt: null,
  isSynced: true,
};
async function showSignIn(api: FakeApi): Promise<void> {
  signedIn(api);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await showApp('/auth');
  await expect.element(button('Sign In')).toBeVisible();
}

async function showProfile(api: FakeApi, passkeys: Passkey[]): Promise<void> {
  signedIn(api);
  api.answers(endpoints.listPrices, []);
  api.answers(endpoints.listPasskeys, passkeys);
  await showApp('/profile/security');
  await expect.element(button('Add a passkey')).toBeVisible();
}

const password = page.getByLabelText('Current Password', { exact: true });

test('a passkey signs in without a typed address', async ({ api }) => {
  authenticator();
  api.answers(endpoints.startPasskeySignIn, REQUEST);
  const sent = api.holds(endpoints.signInWithPasskey);
  await showSignIn(api);
  await expectAccessible();
  await button('Use a passkey').click();
  await expect.element(button('Waiting for your passkey...')).toBeDisabled();
  await expect.poll(() => sent.map(({ body }) => body)).toEqual([{ assertion: ASSERTION }]);
  api.answers(endpoints.getMe, FREE_USER);
  sent[0]?.answer(FREE_USER);
  await expectToast('Welcome back!');
  await expect.element(button('Use a passkey')).not.toBeInTheDocument();
});

test('closing the browser’s dialog says what to do next, a refused passkey what the server says', async ({
  api,
}) => {
  const { get } = authenticator();
  api.answers(endpoints.startPasskeySignIn, REQUEST);
  api.refuses(endpoints.signInWithPasskey, 'INVALID_CREDENTIALS', 'This passkey does not work here.');
  get.mockRejectedValueOnce(dismissal());
  await showSignIn(api);
  await button('Use a passkey').click();
  const status = page.getByText('No passkey was used. Try again, or sign in with your password.');
  await expect.element(status).toBeVisible();
  await expectAccessible();
  await button('Use a passkey').click();
  await expectToast('Login failed', 'This passkey does not work here.');
  await expect.element(status).not.toBeInTheDocument();
});

test('a browser that can suggests passkeys in the email field, and choosing one signs in', async ({
  api,
}) => {
  const { get } = authenticator({ suggests: true });
  let choose: ((credential: unknown) => void) | undefined;
  get.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        choose = resolve;
      }),
  );
  api.answers(endpoints.startPasskeySignIn, REQUEST);
  api.answers(endpoints.signInWithPasskey, FREE_USER);
  await showSignIn(api);
  api.answers(endpoints.getMe, FREE_USER);
  await expect.poll(() => get.mock.calls.map(([{ mediation }]) => mediation)).toEqual(['conditional']);
  await expect.element(button('Use a passkey')).toBeEnabled();
  choose?.(CREDENTIAL);
  await expectToast('Welcome back!');
});

test('the suggestions end while the button asks, and when the screen is left', async ({ api }) => {
  const { get } = authenticator({ suggests: true });
  const signals: (AbortSignal | undefined)[] = [];
  get.mockImplementation(({ mediation, signal }) => {
    if (mediation !== 'conditional') return Promise.reject(dismissal());
    signals.push(signal);
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  });
  api.answers(endpoints.startPasskeySignIn, REQUEST);
  await showSignIn(api);
  await expect.poll(() => signals.length).toBe(1);
  await button('Use a passkey').click();
  await expect.poll(() => signals.map((signal) => signal?.aborted)).toEqual([true, false]);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect.poll(() => signals.map((signal) => signal?.aborted)).toEqual([true, true]);
});

test('a browser without passkeys offers none', async ({ api }) => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  await showSignIn(api);
  await expect.element(button('Use a passkey')).not.toBeInTheDocument();
});

test('the profile lists passkeys with where they are kept and when they were used', async ({ api }) => {
  authenticator();
  await showProfile(api, [LAPTOP, PHONE]);
  await expect
    .element(page.getByText(/^On one device only · Added Jan 5, 2026 · Last used Jan 6, 2026/))
    .toBeVisible();
  await expect
    .element(page.getByText('Synced between your devices · Added Jan 5, 2026 · Not used yet'))
    .toBeVisible();
  await expect.element(page.getByText(/Your password keeps working/)).toBeVisible();
  await expectAccessible();
});

test('a passkey is added after the password, and a wrong password is shown at the field', async ({ api }) => {
  const { create } = authenticator();
  await showProfile(api, []);
  await button('Add a passkey').click();
  await expect.element(password).toHaveFocus();
  await expect.element(button('Use a passkey instead of the password')).not.toBeInTheDocument();
  await expectAccessible();
  api.refuses(endpoints.startPasskeyRegistration, 'WRONG_PASSWORD', 'The current password is not correct.');
  await password.fill('wrong');
  await userEvent.keyboard('{Enter}');
  await expect.element(password).toHaveAccessibleDescription('The current password is not correct.');
  expect(create).not.toHaveBeenCalled();

  api.answers(endpoints.startPasskeyRegistration, CREATION);
  const added = api.holds(endpoints.addPasskey);
  await password.fill('correct horse');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => added.map(({ body }) => body))
    .toEqual([
      {
        attestation: {
          id: 'Y3JlZGVudGlhbA',
          rawId: 'Y3JlZGVudGlhbA',
          type: 'public-key',
          response: {
            clientDataJSON: 'Y2xpZW50',
            attestationObject: 'YXR0ZXN0YXRpb24',
            transports: ['internal'],
          },
        },
      },
    ]);
  api.answers(endpoints.listPasskeys, [LAPTOP]);
  added[0]?.respond(201, LAPTOP);
  await expectToast('Passkey added', 'It is called Chrome on Linux. You can rename it.');
  await expect.element(button('Add a passkey')).toHaveFocus();
  await expect.element(button('Rename Chrome on Linux')).toBeVisible();
});

test('a device that has a passkey already, and a closed dialog, are explained', async ({ api }) => {
  const { create } = authenticator();
  await showProfile(api, []);
  api.answers(endpoints.startPasskeyRegistration, CREATION);
  await button('Add a passkey').click();
  create.mockRejectedValueOnce(new DOMException('registered', 'InvalidStateError'));
  await password.fill('correct horse');
  await userEvent.keyboard('{Enter}');
  await expectToast('Already added', 'This device already has a passkey for your account.');
  create.mockRejectedValueOnce(dismissal());
  await userEvent.keyboard('{Enter}');
  await expectToast('No passkey added');
  await userEvent.keyboard('{Escape}');
  await expect.element(button('Add a passkey')).toHaveFocus();
});

test('the forms of a passkey fit a narrow phone', async ({ api }) => {
  authenticator();
  await page.viewport(320, 800);
  await showProfile(api, [LAPTOP]);
  for (const name of ['Remove Chrome on Linux', 'Add a passkey']) {
    await button(name).click();
    await expect.element(password.first()).toBeVisible();
    const fields = [
      ...document.querySelectorAll('.edit-form, .edit-form input:not([hidden]), .edit-form .btn'),
    ];
    expect(fields.map((field) => field.getBoundingClientRect().right > 304).filter(Boolean)).toEqual([]);
  }
  await page.viewport(1280, 800);
});

test('a passkey is renamed in its place', async ({ api }) => {
  authenticator();
  await showProfile(api, [LAPTOP]);
  await button('Rename Chrome on Linux').click();
  const name = page.getByLabelText('Name of the passkey');
  await expect.element(name).toHaveFocus();
  await name.fill(' ');
  await userEvent.keyboard('{Enter}');
  await expect.element(name).toHaveAccessibleDescription('Enter a name.');
  await expectAccessible();
  const sent = api.holds(endpoints.renamePasskey);
  await name.fill('Work laptop');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => sent.map(({ params, body }) => [params.id, body]))
    .toEqual([[LAPTOP.id, { name: 'Work laptop' }]]);
  const renamed = { ...LAPTOP, name: 'Work laptop' };
  api.answers(endpoints.listPasskeys, [renamed]);
  sent[0]?.answer(renamed);
  await expect.element(button('Rename Work laptop')).toHaveFocus();
});

test('a passkey is removed after a passkey or the password, and the focus goes to the list', async ({
  api,
}) => {
  authenticator();
  await showProfile(api, [LAPTOP, PHONE]);
  await button('Remove Safari on iPhone').click();
  await expect
    .element(page.getByText(/^Remove Safari on iPhone\? You can no longer sign in with it/))
    .toBeVisible();
  await expectAccessible();
  api.answers(endpoints.startPasskeyProof, REQUEST);
  const sent = api.holds(endpoints.removePasskey);
  await button('Use a passkey instead of the password').click();
  await expect
    .poll(() => sent.map(({ params, body }) => [params.id, body]))
    .toEqual([[PHONE.id, { proof: { passkey: ASSERTION } }]]);
  api.answers(endpoints.listPasskeys, [LAPTOP]);
  sent[0]?.answer({ ok: true });
  await expectToast('Passkey removed');
  await expect.element(page.getByRole('heading', { name: 'Passkeys' })).toHaveFocus();
  await expect.element(button('Remove Safari on iPhone')).not.toBeInTheDocument();
});
