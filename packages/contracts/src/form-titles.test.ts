import { expect, test } from 'vitest';
import { formTitle } from './form-titles.ts';

test.each([
  ['N-400', 'Application for Naturalization'],
  ['X-1', 'Form X-1'],
  ['constructor', 'Form constructor'],
  ['', 'Unknown'],
])('the form %j has the title %j', (form, title) => {
  expect(formTitle(form)).toBe(title);
});
