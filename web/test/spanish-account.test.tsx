import { DEFAULT_NOTIFICATION_SETTINGS } from '@casewatch/contracts/notification-choices';
import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { button, expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { readyStripe } from './ready-stripe.ts';
import { FREE_USER, NO_SUBSCRIPTION, PRO_USER, pendingSurvey } from './samples.ts';

const MONTHLY = { id: 'price_m', amount: 9, interval: 'month', displayName: 'Monthly' } as const;
const YEARLY = { id: 'price_y', amount: 90, interval: 'year', displayName: 'Yearly' } as const;
const AT = '2026-12-24T12:00:00.000Z';
const ENGLISH = /\b(the|you|your|with|for|sign|case|cases|password|emails?|please)\b/i;

/** Accessible, without a text in English, and not wider than a small phone. */
async function expectSpanish(): Promise<void> {
  await page.viewport(320, 800);
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  await expectAccessible();
  await page.viewport(1280, 800);
  expect(textsOnPage().filter((text) => ENGLISH.test(text))).toEqual([]);
  expect(document.documentElement.lang).toBe('es');
}

function textsOnPage(): string[] {
  const texts = [document.title];
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
      texts.push(element.getAttribute(name) ?? '');
    }
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '');
    }
  }
  return texts;
}

async function showProfile(api: FakeApi): Promise<void> {
  signedIn(api, PRO_USER);
  api.answers(endpoints.getSubscription, {
    ...NO_SUBSCRIPTION,
    tier: 'pro',
    status: 'active',
    price: MONTHLY,
    renewsAt: AT,
    paymentsPaused: { resumeAt: null, periodEndsAt: AT },
    card: { brand: 'visa', last4: '4242' },
    canCancel: true,
    canSwitchToYearly: true,
  });
  api.answers(endpoints.listInvoices, [
    {
      id: 'in_1',
      number: 'A-1',
      createdAt: AT,
      amount: 9,
      status: 'open',
      url: 'https://payments.example/1',
    },
  ]);
  api.answers(endpoints.listSessions, [
    {
      id: 's1',
      device: 'Safari on iPhone',
      network: '192.0.2.0',
      createdAt: AT,
      lastSeenAt: AT,
      isCurrent: false,
    },
  ]);
  api.answers(endpoints.listPasskeys, [
    { id: 'p1', name: 'iPhone', isSynced: true, createdAt: AT, lastUsedAt: null },
  ]);
  await showLanguage('es');
  await showApp('/profile');
}

test('an account is created in Spanish, with errors in Spanish', async ({ api }) => {
  signedIn(api);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  const signUps = api.holds(endpoints.signUp);
  await showLanguage('es');
  await showApp('/auth?next=%2Fupgrade');
  await expect.element(page.getByText(/prueba gratis de Pro de 14 días/)).toBeVisible();
  await button('Crear cuenta').click();
  await expect.element(page.getByLabelText('Contraseña', { exact: true })).toHaveAccessibleDescription(/8/);
  await expectSpanish();
  await page.getByLabelText('Nombre', { exact: true }).fill(FREE_USER.firstName);
  await page.getByLabelText('Apellido').fill(FREE_USER.lastName);
  await page.getByLabelText('Correo electrónico').fill(FREE_USER.email);
  await page.getByLabelText('Contraseña', { exact: true }).fill('correct horse 1');
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Creando la cuenta...')).toBeDisabled();
  // E-mails to the account are in Spanish, too.
  expect(signUps[0]?.body).toMatchObject({ language: 'es' });
  signUps[0]?.refuse('EMAIL_TAKEN', 'An account with this email address already exists.');
  await expectToast('No se pudo crear la cuenta', 'Ya existe una cuenta con este correo electrónico.');
});

const QUIET = { ...DEFAULT_NOTIFICATION_SETTINGS, quietHours: { from: '22:00', until: '07:00' } };
const WEEKLY = { ...QUIET, email: { ...QUIET.email, status: 'weekly' } } as const;

test('the profile, with its plan, its devices and its choices, is in Spanish', async ({ api }) => {
  await showProfile(api);
  const plan = page.getByRole('region', { name: 'Plan actual' });
  await expect.element(plan).toMatchTextContent(/\$9\/mes.*Facturación\s*mensual, \$9\/mes/);
  await expect.element(plan).toMatchTextContent(/Visa terminada en 4242/);
  await plan.getByText('Facturas', { exact: true }).click();
  await expect.element(plan.getByText('Por pagar')).toBeVisible();
  api.answers(endpoints.getNotificationSettings, {
    settings: QUIET,
    emailOffered: true,
    pushOffered: false,
  });
  await page.getByRole('link', { name: 'Alertas', exact: true }).click();
  const changes = page.getByRole('group', { name: 'Cambios de estatus' });
  api.answers(endpoints.changeNotificationSettings, {
    settings: WEEKLY,
    emailOffered: true,
    pushOffered: false,
  });
  await changes.getByLabelText('Correo electrónico: cuándo').selectOptions('Resumen semanal');
  await expect.element(page.getByLabelText('Hora del día')).toMatchTextContent(/6:00 p\.m\./);
  await expect.element(page.getByLabelText('Día del resumen semanal')).toMatchTextContent(/domingo/);
  await expectSpanish();

  await page.getByRole('link', { name: 'Datos' }).click();
  await button('Eliminar cuenta').click();
  const dialog = page.getByRole('dialog');
  const word = dialog.getByLabelText('Escriba ELIMINAR para confirmar');
  await word.fill('DELETE');
  await dialog.getByLabelText('Contraseña actual').fill('correct horse 1');
  await dialog.getByRole('button', { name: 'Eliminar cuenta' }).click();
  await expect.element(word).toHaveAccessibleDescription('Escriba ELIMINAR para confirmar');
  await word.fill('ELIMINAR');
  const deletions = api.holds(endpoints.deleteAccount);
  await dialog.getByRole('button', { name: 'Eliminar cuenta' }).click();
  await expect.poll(() => deletions.length).toBe(1);
});

test('the payment and its form are in Spanish, and change with the language', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPrices, [MONTHLY, YEARLY]);
  api.answers(endpoints.createSubscription, {
    tier: 'free',
    status: 'incomplete',
    clientSecret: 'seti_1_secret_2',
    intent: 'setup',
  });
  const locales: unknown[] = [];
  vi.stubGlobal(
    'Stripe',
    readyStripe(({ locale }) => locales.push(locale)),
  );
  await showLanguage('es');
  await showApp('/upgrade');
  await expect.element(button('Comenzar prueba gratis de 14 días')).toBeVisible();
  await expect.element(button(/\$90\/año Facturación anual Ahorre \$18/)).toBeVisible();
  await expect
    .element(page.getByText(/El primer pago, de \$9, se cobra el .*, y después cada mes\./))
    .toBeVisible();
  await expectSpanish();
  expect(new Set(locales)).toEqual(new Set(['es-419']));
  await showLanguage('en');
  await expect.element(button('Start 14-day free trial')).toBeVisible();
  expect(locales.at(-1)).toBe('en');
});

test('the frame of a survey is in Spanish, and the words of the survey stay as they are', async ({ api }) => {
  signedIn(api);
  api.answers(endpoints.listPendingSurveys, [pendingSurvey()]);
  await showLanguage('es');
  await showApp('/saved-cases');
  await expect.element(page.getByRole('dialog', { name: 'How is it going?' })).toBeVisible();
  await button('Enviar').click();
  await expectToast('Preguntas obligatorias', 'Responda todas las preguntas obligatorias.');
  await expectAccessible();
});
