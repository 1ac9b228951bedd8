import { expect, expectToast, newPerson, newReceiptNumber, test } from '../src/fixtures.ts';
import { move } from '../src/steps.ts';
import { subscribe } from '../src/subscribe.ts';

interface Names {
  language: string;
  start: string;
  signUp: string;
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  create: string;
  created: string;
  receiptNumber: string;
  check: string;
  save: string;
  saved: string;
  caseSaved: string;
  main: string;
  savedCases: string;
  frequencyOf: (receiptNumber: string) => string;
  daily: string;
  updated: string;
  unread: string;
  statusChanged: string;
  status: string;
  approved: string;
  profile: string;
  languageOfApp: string;
}

/** What a screen reader announces along the way. */
const NAMES: Record<'en' | 'es', Names> = {
  en: {
    language: 'English',
    start: 'Get Started Free',
    signUp: 'Sign Up',
    firstName: 'First Name',
    lastName: 'Last Name',
    email: 'Email',
    password: 'Password',
    create: 'Create Account',
    created: 'Account created!',
    receiptNumber: 'Receipt Number',
    check: 'Check Status',
    save: 'Save',
    saved: 'Saved',
    caseSaved: 'Case saved',
    main: 'Main',
    savedCases: 'Saved Cases',
    frequencyOf: (receiptNumber) => `Monitoring frequency of ${receiptNumber}`,
    daily: 'Daily',
    updated: 'Updated',
    unread: 'Notifications, 1 unread',
    statusChanged: 'Status changed',
    status: 'Status',
    approved: 'Case Was Approved',
    profile: 'Profile',
    languageOfApp: 'Language of the app',
  },
  es: {
    language: 'Español',
    start: 'Empezar gratis',
    signUp: 'Crear cuenta',
    firstName: 'Nombre',
    lastName: 'Apellido',
    email: 'Correo electrónico',
    password: 'Contraseña',
    create: 'Crear cuenta',
    created: '¡Cuenta creada!',
    receiptNumber: 'Número de recibo',
    check: 'Consultar estatus',
    save: 'Guardar',
    saved: 'Guardado',
    caseSaved: 'Caso guardado',
    main: 'Principal',
    savedCases: 'Casos guardados',
    frequencyOf: (receiptNumber) => `Monitoreo (frecuencia de ${receiptNumber})`,
    daily: 'Diario',
    updated: 'Actualizado',
    unread: 'Alertas, 1 sin leer',
    statusChanged: 'El estatus cambió',
    status: 'Estatus',
    approved: 'El caso fue aprobado',
    profile: 'Perfil',
    languageOfApp: 'Idioma de la aplicación',
  },
};

for (const [language, other] of [
  ['en', 'es'],
  ['es', 'en'],
] as const) {
  test(`in ${NAMES[language].language}, every step from the landing page to a notification goes by its name`, async ({
    page,
    context,
    product,
  }) => {
    const names = NAMES[language];
    const person = newPerson();
    const receiptNumber = newReceiptNumber();
    await move(product, receiptNumber, 'Case Was Received');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const fill = (name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text);
    const follow = (name: string) =>
      page.getByRole('navigation', { name: names.main }).getByRole('link', { name, exact: true }).click();

    await page.goto('/');
    if (language === 'es') await page.getByRole('link', { name: names.language }).click();
    await page.getByRole('link', { name: names.start, exact: true }).click();
    await page.getByRole('tab', { name: names.signUp }).click();
    await fill(names.firstName, person.firstName);
    await fill(names.lastName, person.lastName);
    await fill(names.email, person.email);
    await page.getByLabel(names.password, { exact: true }).fill(person.password);
    await press(names.create);
    await expectToast(page, names.created);
    await subscribe(context.request, product);
    await page.reload();

    await fill(names.receiptNumber, receiptNumber);
    await press(names.check);
    const card = page.getByRole('article', { name: receiptNumber });
    await card.getByRole('button', { name: names.save, exact: true }).click();
    await expectToast(page, names.caseSaved);
    await expect(card.getByRole('button', { name: names.saved, exact: true })).toBeVisible();

    await follow(names.savedCases);
    await expect(page.getByRole('heading', { name: names.savedCases, level: 1 })).toBeFocused();
    await page
      .getByRole('combobox', { name: names.frequencyOf(receiptNumber) })
      .selectOption({ label: names.daily });
    await expectToast(page, names.updated);

    // The first check comes so soon after the lookup above that it takes its answer.
    const isChecked = async () =>
      (await (await context.request.get('/api/watches')).json())[0]?.lastCheckedAt;
    await expect.poll(isChecked).toBeTruthy();
    await move(product, receiptNumber, 'Case Was Approved');
    // A lookup is an observation like a scheduled check.
    expect((await context.request.get(`/api/case-status/${receiptNumber}`)).ok()).toBe(true);
    await press(names.unread);
    const notification = page.getByTestId('notification-item');
    await expect(notification).toContainText(names.statusChanged);
    await expect(notification).toContainText(names.approved);
    await notification.click();
    await expect(page.getByRole('heading', { name: receiptNumber, level: 1 })).toBeFocused();
    await expect(page.getByRole('region', { name: names.status, exact: true })).toContainText(names.approved);

    await follow(names.profile);
    // Shown at once, and saved after that.
    const saved = page.waitForResponse(
      (answer) => answer.request().method() === 'PATCH' && answer.url().endsWith('/api/auth/me'),
    );
    await page
      .getByRole('combobox', { name: names.languageOfApp })
      .selectOption({ label: NAMES[other].language });
    await expect(page.getByRole('heading', { name: NAMES[other].profile, level: 1 })).toBeVisible();
    expect((await saved).ok()).toBe(true);
    await page.reload();
    await expect(page.getByRole('combobox', { name: NAMES[other].languageOfApp })).toHaveValue(other);
    await expect(page.locator('html')).toHaveAttribute('lang', other);
  });
}
