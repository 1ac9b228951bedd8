import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectToast, test } from '../src/fixtures.ts';
import { logOut } from '../src/steps.ts';

/** A device that keeps passkeys and unlocks them by itself (WebAuthn 3, 11), except while it waits for its user. */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    unlocksByItself: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}

test('a passkey is added, signs in without address and password, and is removed', async ({
  page,
  freeUser,
}) => {
  const device = await addAuthenticator(page);
  await page.goto('/profile/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Current Password').fill(freeUser.password);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectToast(page, 'Passkey added');
  await expect(page.getByText('Not used yet')).toBeVisible();
  await expectAccessible(page);

  await logOut(page);
  await expectToast(page, 'Logged out');
  // The suggestion in the email field would sign in at once, before the button is there.
  await device.unlocksByItself(false);
  const challenge = '**/api/auth/passkey-login/options';
  const suggested = page.waitForResponse(challenge);
  await page.goto('/auth');
  await suggested;
  // Before the button asks the device, which answers no request that was there before it could.
  await page.route(challenge, async (route) => {
    await device.unlocksByItself(true);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expectToast(page, 'Welcome back!');

  await page.goto('/profile/security');
  await expect(page.getByText('Last used').first()).toBeVisible();
  await page.getByRole('button', { name: /^Remove / }).click();
  await page.getByRole('button', { name: 'Use a passkey instead of the password' }).click();
  await expectToast(page, 'Passkey removed');
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused();
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(0);
});
