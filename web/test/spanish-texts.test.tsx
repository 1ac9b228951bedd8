import { signupBody } from '@casewatch/contracts/identity';
import { ApiError } from '../src/api/api-error.ts';
import { showLanguage } from '../src/i18n/language.ts';
import { findFieldErrors } from '../src/lib/field-errors.ts';
import { serverText } from '../src/lib/server-texts.ts';
import { expect, test } from './component-test.tsx';

const refusal = (body: object) =>
  new ApiError({ status: 400, text: JSON.stringify(body), statusText: '', retryAfterSeconds: undefined });

test.beforeEach(() => showLanguage('es'));

test('an error is said in Spanish by its key and values, whatever its English words are', () => {
  const body = {
    error: 'Other words.',
    code: 'RATE_LIMITED',
    messageKey: 'too-many-sign-ups',
    values: { seconds: 90 },
  };
  expect(refusal(body).serverMessage).toBe(
    'Se crearon demasiadas cuentas desde su red. Inténtelo de nuevo en 2 minutos.',
  );
});

test('an error of an older or a newer server is said in Spanish by its code, and without one it stays as it is', () => {
  const text = 'Inicie sesión para continuar.';
  expect(refusal({ error: 'Words.', code: 'SIGNED_OUT' }).serverMessage).toBe(text);
  expect(
    refusal({ error: 'Words.', code: 'SIGNED_OUT', messageKey: 'newer', values: null }).serverMessage,
  ).toBe(text);
  expect(refusal({ error: 'Words.', code: 'NEWER' }).serverMessage).toBe('Words.');
});

test('what is wrong with a field is said in Spanish, and a saved value that a conflict shows stays as it is', () => {
  const { details } = refusal({
    error: 'Words.',
    code: 'VALIDATION',
    details: [
      { path: 'password', message: 'Words.', messageKey: 'password-common' },
      { path: 'title', message: 'Closed' },
    ],
  });
  expect(details.map(({ message }) => message)).toEqual([
    'Esa contraseña es muy común. Elija una más larga o menos previsible.',
    'Closed',
  ]);
});

test('a form that is checked before it is sent says in Spanish what is wrong', () => {
  const values = { email: 'x', password: 'short', firstName: '', lastName: 'Lovelace' };
  expect(findFieldErrors(signupBody, ['email', 'password', 'firstName', 'lastName'], values)).toEqual({
    email: 'El correo electrónico no es válido',
    password: 'La contraseña debe tener al menos 8 caracteres',
    firstName: 'Escriba su nombre',
  });
});

test.each([
  ['phase-decision', 'Decision', 'Decisión'],
  ['office-EAC', 'Vermont Service Center', 'Centro de Servicio de Vermont'],
  ['office-ABC', 'Other (ABC)', 'Otro (ABC)'],
  ['phase-decision', 'Words of the agency', 'Words of the agency'],
  ['office-EAC', 'Words of the agency', 'Words of the agency'],
])('of the fact %s, %s is said as %s', (messageKey, error, shown) => {
  expect(serverText({ error, messageKey })).toBe(shown);
});
