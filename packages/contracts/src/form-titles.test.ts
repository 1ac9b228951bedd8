import { expect, test } from 'vitest';
import { formTitle, spanishFormTitle } from './form-titles.ts';

test.each([
  ['N-400', 'Application for Naturalization', 'Solicitud de Naturalización'],
  ['X-1', 'Form X-1', undefined],
  ['constructor', 'Form constructor', undefined],
  ['', 'Unknown', undefined],
])('the form %j has the title %j, in Spanish %j', (form, title, spanish) => {
  expect(formTitle(form)).toBe(title);
  expect(spanishFormTitle(form)).toBe(spanish);
});
