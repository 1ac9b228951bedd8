import type { StatusNotification } from '@casewatch/contracts/notifications';
import { needsAction } from '@casewatch/contracts/status-guide';
import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { caseSection, notificationRow, reportStart } from '../src/features/exports/report-html.ts';
import { messages as english } from '../src/i18n/catalog-en.ts';
import { messages as spanish } from '../src/i18n/catalog-es.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessibleEverywhere } from './accessible.ts';
import {
  button,
  choose,
  expect,
  expectToast,
  keepsCases,
  showApp,
  signedIn,
  test,
} from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { caseResult, historyEntry, PRO_USER, savedCase } from './samples.ts';

const [ONE, TWO] = ['EAC9999103403', 'WAC0000000002'];
const AT = '2026-01-05T15:07:00.000Z';

const change = (facts: Partial<StatusNotification>): StatusNotification => ({
  id: '0198c0de-0000-7000-8000-110000000001',
  userId: PRO_USER.id,
  kind: 'status',
  receiptNumber: ONE,
  oldStatus: 'Case Was Received',
  newStatus: 'Case Was Approved',
  needsAction: needsAction(facts.newStatus),
  createdAt: AT,
  read: false,
  order: '1',
  ...facts,
});
const cases = () => [
  savedCase(ONE, {
    nickname: 'Mamá',
    tags: ['Familia'],
    formType: 'I-485',
    monitoringFrequency: 'daily',
    lastCheckedAt: AT,
    lastKnownStatus: 'Case Was Approved',
    statusChangedAt: AT,
  }),
  savedCase(TWO, { lastKnownStatus: 'Your Horoscope Was Consulted' }),
];

/** Texts of the English catalog that Spanish says differently. */
const ENGLISH = new Set(
  Object.entries(english).flatMap(([id, text]) =>
    String(text) === String(spanish[id]) || text.length !== 1 ? [] : [String(text)],
  ),
);

/** No text, name, hint or title that people see or hear is one of the English catalog. */
function expectSpanish(): void {
  const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'data-label'];
  const shown = [...document.body.querySelectorAll('*')].flatMap((one) => [
    ...[...one.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.textContent : '')),
    ...attributes.map((name) => one.getAttribute(name)),
  ]);
  expect(shown.filter((text) => text && ENGLISH.has(text.trim()))).toEqual([]);
}

/** Shows a case whose check is late, and one whose status has no Spanish. */
async function showCases(api: FakeApi): Promise<void> {
  await showLanguage('es');
  signedIn(api, PRO_USER);
  keepsCases(api, cases());
  api.answers(endpoints.listWatches, [
    {
      receiptNumber: ONE,
      frequency: 'daily',
      lastCheckedAt: AT,
      nextCheckAt: '2030-01-06T15:00:00.000Z',
      late: { code: 'AGENCY_BUSY', reason: 'The agency is limiting requests right now.' },
    },
  ]);
  await showApp('/saved-cases?monitoring=any');
  await expect.element(page.getByRole('heading', { name: 'Casos guardados', level: 1 })).toBeVisible();
}

test('saved cases are found and snoozed in Spanish on their cards', async ({ api }) => {
  await showCases(api);
  const card = page.getByRole('article', { name: ONE });
  await expect.element(card).toMatchTextContent(/El caso fue aprobado/);
  await expect.element(card).toMatchTextContent(/Próxima consulta: 6 ene 2030, 3:00 p/);
  await expect.element(card).toMatchTextContent(/La agencia está limitando las consultas/);
  // The agency has no Spanish for it, and neither has the guide.
  await expect.element(page.getByText('Your Horoscope Was Consulted').last()).toHaveAttribute('lang', 'en');
  await button('Filtros (1 en uso)').click();
  await expect
    .element(page.getByLabelText('Estatus', { exact: true }))
    .toMatchTextContent(/El caso fue aprobado \(1\)/);
  expectSpanish();
  await expectAccessibleEverywhere();

  await button(`Más sobre ${ONE}`).click();
  const changes = api.holds(endpoints.changeSavedCase);
  await page.getByLabelText(`Silenciar alertas de ${ONE}`).selectOptions('Por una semana');
  await expect.poll(() => changes.length).toBe(1);
  const snoozedUntil = '2030-01-12T15:00:00.000Z';
  changes[0]?.answer(savedCase(ONE, { monitoringFrequency: 'daily', snoozedUntil }));
  await expectToast('Actualizado');
  expectSpanish();
});

test('saved cases are selected and removed in Spanish in the table', async ({ api }) => {
  localStorage.setItem('casewatch-saved-cases-view', 'table');
  await showCases(api);
  await expect.element(page.getByRole('columnheader', { name: 'Último cambio' })).toBeVisible();
  await page.getByRole('checkbox', { name: `Seleccionar ${ONE}` }).click();
  await expect
    .element(page.getByRole('region', { name: 'Casos seleccionados' }))
    .toMatchTextContent(/^1 caso seleccionado/);
  expectSpanish();
  await expectAccessibleEverywhere();
  await choose('Más', 'Quitar');
  await expect.element(page.getByRole('dialog', { name: '¿Quitar 1 caso?' })).toBeVisible();
  expectSpanish();
});

test('the page of a case and the bell explain it in Spanish', async ({ api }) => {
  await showLanguage('es');
  signedIn(api, PRO_USER);
  const unknown = 'Your Horoscope Was Consulted';
  const [one = savedCase(ONE)] = cases();
  keepsCases(api, [one, savedCase(TWO, { lastKnownStatus: unknown, statusEs: 'Se consultó su horóscopo' })]);
  api.answers(endpoints.listWatches, []);
  api.answers(endpoints.listNotifications, [
    change({}),
    change({ id: PRO_USER.id, receiptNumber: TWO, oldStatus: null, newStatus: unknown }),
  ]);
  api.answers(
    endpoints.lookUpCase,
    caseResult(ONE, {
      caseStatus: 'Case Was Approved',
      formType: 'I-485',
      observedAt: AT,
      histCaseData: [
        historyEntry('Case Was Approved', '2026-01-05', { firstObservedAt: AT }),
        historyEntry('Case Was Received', '2025-11-01', { withdrawnAt: AT }),
      ],
    }),
  );
  await showApp(`/cases/${ONE}`);
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  await expect
    .element(region('Estatus'))
    .toMatchTextContent(/El caso fue aprobado.*Última consulta: 5 ene 2026/);
  await expect.element(region('Qué significa')).toMatchTextContent(/Usted es residente permanente/);
  await expect.element(region('Qué significa')).toMatchTextContent(/Revisada en noviembre de 2026/);
  // The agency says it with a capital letter, the product without.
  await expect.element(region('Detalles del caso')).toMatchTextContent(/Etapa\s*Recibido/);
  await expect
    .element(region('Historial del caso'))
    .toMatchTextContent(/Del historial de la agencia; visto por Casewatch el 5 ene 2026/);
  await expect
    .element(region('Historial del caso'))
    .toMatchTextContent(/Retirado: desde el 5 ene 2026 ya no está en el historial de la agencia/);
  await expect.element(page.getByLabelText('Silenciar alertas')).toMatchTextContent(/Por una semana/);
  expect(document.title).toMatch(/El caso fue aprobado · Mamá/);
  expectSpanish();
  await expectAccessibleEverywhere();

  await page.getByTestId('notifications-bell').click();
  const item = page.getByTestId('notification-item').first();
  await expect.element(item).toMatchTextContent(/El caso fue recibido → El caso fue aprobado/);
  await expect
    .element(item)
    .toMatchTextContent(/Usted es residente permanente.*Próximo paso: Espere la tarjeta/);
  await expect
    .element(page.getByTestId('notification-item').last())
    .toMatchTextContent(/Estatus nuevo: Se consultó su horóscopo/);
  expectSpanish();
  await expectAccessibleEverywhere();
});

test('the agency’s own Spanish is shown where it gives it, and what it says in English only is marked', async ({
  api,
}) => {
  await showLanguage('es');
  signedIn(api, PRO_USER);
  keepsCases(api, [savedCase(ONE, { lastKnownStatus: 'Case Was Approved', statusEs: 'Caso aprobado' })]);
  api.answers(endpoints.listWatches, []);
  api.answers(
    endpoints.lookUpCase,
    caseResult(ONE, {
      caseStatus: 'Case Was Approved',
      statusEs: 'Caso aprobado',
      histCaseData: [historyEntry('Case Was Approved', '2026-01-05', { textEs: 'Su caso fue aprobado' })],
    }),
  );
  const screen = await showApp('/saved-cases');
  await expect.element(page.getByRole('article', { name: ONE })).toMatchTextContent(/Caso aprobado/);
  await screen.unmount();
  const onPage = await showApp(`/cases/${ONE}`);
  await expect.element(page.getByRole('region', { name: 'Estatus' })).toMatchTextContent(/Caso aprobado/);
  await expect.element(page.getByText('Su caso fue aprobado')).not.toHaveAttribute('lang');
  await expect.element(page.getByText('We received your case.')).toHaveAttribute('lang', 'en');
  await onPage.unmount();

  api.answers(
    endpoints.lookUpCase,
    caseResult(ONE, {
      descriptionEs: 'Recibimos su caso. Vea su cuenta.',
      descriptionLinksEs: [{ text: 'su cuenta', href: 'https://my.uscis.gov/es' }],
    }),
  );
  await showApp(`/cases/${ONE}`);
  await expect.element(page.getByText(/Recibimos su caso/)).not.toHaveAttribute('lang');
  await expect.element(page.getByRole('link', { name: 'su cuenta' })).toBeVisible();
});

test('what is read out and copied says a status in the agency’s own Spanish, as the screen does', async ({
  api,
}) => {
  await showLanguage('es');
  signedIn(api, PRO_USER);
  const facts = { caseStatus: 'Your Horoscope Was Consulted', statusEs: 'Se consultó su horóscopo' };
  api.answers(endpoints.lookUpCases, [
    { success: true, receiptNumber: ONE, data: caseResult(ONE, facts) },
    { success: true, receiptNumber: TWO, data: caseResult(TWO, facts) },
  ]);
  api.answers(endpoints.lookUpCase, caseResult(ONE, facts));
  await showApp('/');
  await page.getByLabelText('Número de recibo').fill(ONE);
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(`${ONE}: ${facts.statusEs}`)).toBeInTheDocument();

  await page.getByRole('tab', { name: 'Búsqueda múltiple' }).click();
  await page.getByLabelText('Números de recibo').fill(`${ONE}\n${TWO}`);
  await page.getByRole('button', { name: /^Consultar 2/ }).click();
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await button('Copiar').click();
  expect(copied.mock.calls[0]?.[0]).toContain(`${ONE}\t${facts.statusEs}\t`);
  copied.mockRestore();
});

test('the report to print is in Spanish, and what exists in English only is marked as such', async () => {
  await showLanguage('es');
  const [one, two] = cases().map((facts) => ({
    ...facts,
    history: [historyEntry('Case Was Received', null)],
  }));
  if (!one || !two) throw new Error('there are two cases');
  const html = [
    reportStart(new Date(AT), 'UTC'),
    caseSection(one),
    caseSection(two),
    `<table>${notificationRow(change({}))}</table>`,
  ].join('');
  const report = new DOMParser().parseFromString(html, 'text/html');
  expect(report.documentElement.lang).toBe('es');
  expect(report.querySelector('h1')?.textContent).toBe('Informe de casos');
  const terms = [...report.querySelectorAll('section:first-of-type dt')].map((term) => term.textContent);
  expect(terms).toEqual([
    'Etiquetas',
    'Formulario',
    'Estatus',
    'Estatus desde',
    'Última consulta',
    'Monitoreo',
    'Guardado el',
  ]);
  expect(report.querySelector('section:first-of-type')?.textContent).toMatch(/El caso fue aprobado/);
  const inEnglish = [...report.querySelectorAll('[lang=en]')].map((status) => status.textContent);
  expect(inEnglish).toEqual(['Your Horoscope Was Consulted']);
});
