import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { expectAccessible } from './accessible.ts';
import { expect, keepsCases, showApp, signedIn, test } from './component-test.tsx';
import { savedCase } from './samples.ts';

const field = () => page.getByLabelText('Receipt Number');

/** Presses a key until it works: the shortcuts are loaded after the screen. */
async function pressUntil(keys: string, isThere: () => boolean): Promise<void> {
  await expect
    .poll(async () => {
      if (!isThere()) await userEvent.keyboard(keys);
      return isThere();
    })
    .toBe(true);
}

const heading = (name: string) => () => document.querySelector('h1')?.textContent === name;

test('? lists the shortcuts, and / goes to the search box', async ({ api }) => {
  signedIn(api);
  await showApp('/');
  await expect.element(field()).toBeVisible();
  await pressUntil('?', () => document.querySelector('[role="dialog"]') !== null);
  await expect.element(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.querySelector('[role="dialog"]')).toBeNull();
  await userEvent.keyboard('/');
  await expect.element(field()).toHaveFocus();
  // What is typed is text.
  await userEvent.keyboard('gs?');
  await expect.element(field()).toHaveValue('GS?');
});

test('g and a letter lead to the saved cases, the lookup and the notifications', async ({ api }) => {
  signedIn(api);
  keepsCases(api, [savedCase('WAC0000000004')]);
  await showApp('/');
  await expect.element(field()).toBeVisible();
  await pressUntil('gs', heading('Saved Cases'));
  await userEvent.keyboard('gl');
  await expect.poll(heading('Immigration Case Status')).toBe(true);
  await userEvent.keyboard('gn');
  await expect.element(page.getByTestId('notifications-bell')).toHaveAttribute('aria-expanded', 'true');
});

test('the profile turns shortcuts off on this device', async ({ api }) => {
  signedIn(api);
  api.refuses(endpoints.listInvoices, 'NOT_FOUND');
  await showApp('/profile');
  await page.getByLabelText('Use keyboard shortcuts on this device').click();
  await expect.element(page.getByLabelText('Use keyboard shortcuts on this device')).not.toBeChecked();
  document.getElementById('main')?.focus();
  await userEvent.keyboard('gs?');
  expect(document.querySelector('[role="dialog"]')).toBeNull();
  expect(heading('Profile')()).toBe(true);
});
