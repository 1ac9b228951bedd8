import { expect, test } from 'vitest';
import { normaliseFormType } from './form-type.ts';

test.each([
  ['N400', 'N-400'],
  ['n-400', 'N-400'],
  [' i 129f ', 'I-129F'],
  ['EOIR29', 'EOIR-29'],
  ['I-485J', 'I-485J'],
  ['', ''],
  [' Letter of support ', 'Letter of support'],
  ['abcde-1', 'abcde-1'],
  ['Form i-130', 'Form i-130'],
  ['i-130 and more', 'i-130 and more'],
])('the form %j is written as %j', (written, shown) => {
  expect(normaliseFormType(written)).toBe(shown);
});
