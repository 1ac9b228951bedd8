import { i18n } from '@lingui/core';
import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import { button, expect, expectToast, settle, showApp, signedIn, test } from './component-test.tsx';
import { caseResult, FREE_USER, historyEntry } from './samples.ts';

const NUMBER = 'EAC9999103403';

test('a case is looked up and saved in Spanish, and nothing of the screen is left in English', async ({
  api,
}) => {
  signedIn(api);
  await showLanguage('es');
  api.answers(
    endpoints.lookUpCase,
    caseResult(NUMBER, {
      caseStatus: 'Case Was Approved',
      caseSubstatus: 'decision',
      applicationOrPetitionTypeEs: 'Petición de Familiar Extranjero',
      channelType: 'Vermont Service Center',
      caseLastUpdated: '2024-02-29',
      histCaseData: [
        historyEntry('Case Was Received', '2023-09-05'),
        historyEntry('Something New', '2023-09-04'),
      ],
    }),
  );
  await showApp('/');
  await expect
    .element(page.getByRole('heading', { name: 'Estatus de su caso de inmigración' }))
    .toBeVisible();
  await page.getByRole('textbox', { name: 'Número de recibo' }).fill(NUMBER);
  await button('Consultar estatus').click();
  const card = page.getByRole('article', { name: NUMBER });
  await expect.element(card).toMatchTextContent(/El caso fue aprobado/);
  await expect.element(card).toMatchTextContent(/Última actualización\s*29 feb 2024/);
  await expect.element(card).toMatchTextContent(/Etapa\s*Decisión/);
  await expect.element(card).toMatchTextContent(/Tipo de solicitud[^:]*Petición de Familiar Extranjero/);
  await expect.element(card).toMatchTextContent(/Tipo de canal\s*Centro de Servicio de Vermont/);
  // What the agency says in English only is read out as English.
  await expect.element(card.getByText('Something New')).toHaveAttribute('lang', 'en');
  await expect.element(button('Guardar')).toBeEnabled();
  await expectAccessibleEverywhere();
  api.refuses(endpoints.saveCase, 'INTERNAL', 'Something went wrong on our side. Please try again.');
  await button('Guardar').click();
  await expectToast('No se pudo guardar el caso');
});

test('a recent lookup shows the status in the agency’s own Spanish, as its card does', async ({ api }) => {
  signedIn(api);
  await showLanguage('es');
  const status = { caseStatus: 'Something New', statusEs: 'Algo nuevo' };
  api.answers(endpoints.lookUpCase, caseResult(NUMBER, status));
  const home = await showApp('/');
  await page.getByRole('textbox').fill(NUMBER);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: NUMBER })).toBeVisible();
  await home.unmount();
  await showApp('/');
  const recent = page.getByRole('region', { name: 'Recientes en este dispositivo' });
  await expect.element(recent.getByText('Algo nuevo')).toBeVisible();
});

test('switching the language keeps what was typed and the focus, and other tabs follow', async ({ api }) => {
  signedIn(api);
  await showApp('/');
  const field = page.getByRole('textbox');
  await field.fill('EAC99991');
  await showLanguage('es');
  await expect.element(page.getByRole('textbox', { name: 'Número de recibo' })).toHaveValue('EAC99991');
  await expect.element(field).toHaveFocus();
  expect(document.documentElement.lang).toBe('es');
  new BroadcastChannel('casewatch-language').postMessage('en');
  await expect.poll(() => document.documentElement.lang).toBe('en');
  await expect.element(field).toHaveValue('EAC99991');
});

test('the admin area stays in English when another tab switches the language', async ({ api }) => {
  api.answers(endpoints.getAdminSignInOptions, { provider: null, passcode: true });
  // What a tab has to load for Spanish is there: it would show it as soon as it is asked to.
  await import('../src/i18n/catalog-es.ts');
  await showApp('/admin');
  await expect.element(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  const received = vi.fn();
  const otherTab = new BroadcastChannel('casewatch-language');
  otherTab.onmessage = received;
  new BroadcastChannel('casewatch-language').postMessage('es');
  await expect.poll(() => received.mock.calls).toHaveLength(1);
  otherTab.close();
  await settle();
  expect(document.documentElement.lang).toBe('en');
});

test('a signed-out person switches the language on the sign-in page, and the device remembers it', async ({
  api,
}) => {
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await showApp('/auth');
  const switcher = page.getByTestId('language-button');
  await expect.element(switcher).toHaveAttribute('lang', 'es');
  await switcher.click();
  await expect.element(switcher).toMatchTextContent('English');
  await expect.element(switcher).toHaveFocus();
  expect(document.cookie).toContain('language=es');
  await userEvent.keyboard('{Enter}');
  await expect.element(switcher).toMatchTextContent('Español');
});

test('a language that can not be loaded leaves the one before, and says so', async ({ api }) => {
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await showApp('/auth');
  const load = vi.spyOn(i18n, 'loadAndActivate').mockImplementation(() => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  await page.getByTestId('language-button').click();
  await expectToast('The language could not be loaded. Check your connection and try again.');
  await expect.element(page.getByTestId('language-button')).toMatchTextContent('Español');
  expect(document.cookie).not.toContain('language=');
  load.mockRestore();
});

test("the account's language comes before the device's, and a choice in the profile goes to the account", async ({
  api,
}) => {
  signedIn(api, { ...FREE_USER, language: 'es' });
  const changes = api.holds(endpoints.changeProfile);
  await showApp('/profile');
  const choice = page.getByRole('combobox', { name: 'Idioma de la aplicación' });
  await expect.element(choice).toHaveValue('es');
  expect(document.cookie).toContain('language=es');
  await choice.selectOptions('en');
  await expect.element(page.getByRole('combobox', { name: 'Language of the app' })).toHaveValue('en');
  await expect.poll(() => changes.map(({ body }) => body)).toEqual([{ language: 'en' }]);
  changes[0]?.answer({ ...FREE_USER, language: 'en' });
  await expect.poll(() => document.cookie).toContain('language=en');
});
