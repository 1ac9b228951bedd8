import { vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as endpoints from '../src/api/endpoints.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { expectAccessible } from './accessible.ts';
import { button, expect, expectToast, showApp, signedIn, test } from './component-test.tsx';
import type { FakeApi } from './fake-api.ts';
import { FREE_USER } from './samples.ts';

async function fillIn(api: FakeApi): Promise<void> {
  signedIn(api);
  api.refuses(endpoints.getMe, 'SIGNED_OUT');
  await showApp('/auth');
  await page.getByLabelText(/^(Email|Correo electrónico)$/).fill(FREE_USER.email);
  await page.getByLabelText(/^(Password|Contraseña)$/).fill('correct horse 1');
}

test('a browser whose database never answers, as WebKit’s at times, still signs in', async ({
  api,
  onTestFinished,
}) => {
  const silent = vi.spyOn(IDBObjectStore.prototype, 'get').mockReturnValue({} as IDBRequest);
  onTestFinished(() => silent.mockRestore());
  await fillIn(api);
  api.answers(endpoints.logIn, FREE_USER);
  api.answers(endpoints.getMe, FREE_USER);
  await button('Sign In').click();
  await expect.element(page.getByLabelText('Receipt Number')).toBeVisible();
});

const problem = () => page.getByRole('main').getByRole('alert');

/** What the server answers, and what the form says in both languages. */
const PROBLEMS: { when: string; answer: (api: FakeApi) => void; en: RegExp; es: RegExp }[] = [
  {
    when: 'a wrong password',
    answer: (api) => api.refuses(endpoints.logIn, 'INVALID_CREDENTIALS', 'Invalid email or password'),
    en: /^Invalid email or password/,
    es: /^El correo electrónico o la contraseña/,
  },
  {
    when: 'a refusal without words',
    answer: (api) => api.responds(endpoints.logIn, 401, {}),
    en: /^Invalid email or password/,
    es: /contraseña/,
  },
  {
    when: 'a failure of the server',
    answer: (api) =>
      api.refuses(endpoints.logIn, 'INTERNAL', 'Something went wrong on our side. Please try again.'),
    en: /^Something went wrong on our side/,
    es: /^Algo salió mal de nuestra parte/,
  },
  {
    when: 'a failure of a proxy',
    answer: (api) => api.responds(endpoints.logIn, 502, '<html>Bad Gateway</html>'),
    en: /^Something went wrong on our side/,
    es: /^Algo salió mal de nuestra parte/,
  },
  {
    when: 'no answer',
    answer: (api) => api.loses(endpoints.logIn),
    en: /^Check your connection/,
    es: /^Revise su conexión/,
  },
];

for (const language of ['en', 'es'] as const) {
  test.for(PROBLEMS)(
    `${language}: after $when the form says so until something is typed`,
    async ({ answer, ...words }, { api }) => {
      await showLanguage(language);
      await fillIn(api);
      answer(api);
      await userEvent.keyboard('{Enter}');
      await expect.element(problem()).toMatchTextContent(words[language]);
      await expectAccessible();
      // The toast goes, what is in the form stays.
      await page.getByRole('button', { name: /^(Close|Cerrar)$/ }).click();
      await expect.element(page.getByText(/^(Login failed|No se pudo iniciar)/)).not.toBeInTheDocument();
      await expect.element(problem()).toBeVisible();
      await page.getByLabelText(/^(Password|Contraseña)$/).fill('another');
      await expect.element(problem()).not.toBeInTheDocument();
    },
  );
}

test('a sign-up that fails stays in the form, too', async ({ api }) => {
  await fillIn(api);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabelText('First Name').fill('Ada');
  await page.getByLabelText('Last Name').fill('Lovelace');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse 1');
  api.responds(endpoints.signUp, 500, {});
  await button('Create Account').click();
  await expect.element(problem()).toMatchTextContent('Failed to create account');
});

test.for([500, 502, 503])(
  'a session that can’t be read (%i) is no fault of the connection',
  async (status, { api }) => {
    signedIn(api);
    api.responds(endpoints.getMe, status, {});
    await showApp('/saved-cases');
    await expect
      .element(page.getByRole('heading', { name: 'Something went wrong on our side' }))
      .toBeVisible();
    expect(document.body.textContent).not.toMatch(/connection/);
  },
);

test('saved cases that the server fails to give are no fault of the connection', async ({ api }) => {
  signedIn(api);
  api.responds(endpoints.listSavedCasesPage, 500, {});
  await showApp('/saved-cases');
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Something went wrong on our side/);
  expect(document.body.textContent).not.toMatch(/connection/);
});

test.for([
  ['en', 'es', '¡Qué gusto verle de nuevo!'],
  ['es', 'en', 'Welcome back!'],
] as const)(
  'on a page in %s the welcome to an account in %s is in the language that the page has then',
  async ([shown, account, words], { api }) => {
    await showLanguage(shown);
    await fillIn(api);
    const user = { ...FREE_USER, language: account };
    api.answers(endpoints.logIn, user);
    api.answers(endpoints.getMe, user);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => document.documentElement.lang).toBe(account);
    await expectToast(words);
  },
);
