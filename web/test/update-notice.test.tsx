import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, keepsCases, showApp, signedIn, test } from './component-test.tsx';
import { savedCase } from './samples.ts';

const SLOW_MACHINE_MS = 120_000;

/** A worker that finds a newer version at once. */
vi.mock(import('../src/features/offline/register-worker.ts'), () => ({
  registerWorker: (onNewVersion: (use: () => void) => void) => {
    onNewVersion(() => undefined);
    return () => undefined;
  },
}));

test.for([
  ['en', 'A new version is ready', 'Reload', 'Add nickname', 'Reload and lose what you typed?'],
  [
    'es',
    'Hay una nueva versión lista',
    'Recargar',
    'Agregar nombre corto',
    '¿Recargar y perder lo que escribió?',
  ],
] as const)(
  'in %s, the offer of a newer version is accessible, and so is the question about what was typed',
  { timeout: SLOW_MACHINE_MS },
  async ([language, offer, reload, addNickname, question], { api }) => {
    await showLanguage(language);
    signedIn(api);
    keepsCases(api, [savedCase('WAC0000000004')]);
    await showApp('/saved-cases');
    await expect.element(page.getByText(offer)).toBeVisible();
    await expectAccessibleEverywhere();
    await button(addNickname).click();
    await userEvent.keyboard('Mine');
    await button(reload).click();
    await expect.element(page.getByRole('dialog', { name: question })).toBeVisible();
    await expectAccessibleEverywhere();
  },
);
