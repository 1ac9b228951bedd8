import { expect, test } from 'vitest';
import { readErrorMessage } from './error-body.ts';

test.each([
  [{ errors: [{ message: 'First.' }, { code: 2 }], message: 'Other.' }, 'First.'],
  [{ error: { code: 1, message: 'Nested.' } }, 'Nested.'],
  [{ code: 1, message: ' <b>Flat</b>&nbsp;words. ' }, 'Flat words.'],
])('the agency’s words in %j are one plain line', (body, message) => {
  expect(readErrorMessage(JSON.stringify(body))).toBe(message);
});

test.each([
  '',
  'Not Found',
  '<html></html>',
  '{}',
  '[]',
  '{"message":" "}',
  '{"message":7}',
  '{"errors":[]}',
])('%j holds none of the agency’s words', (body) => {
  expect(readErrorMessage(body)).toBeUndefined();
});

test('long words are cut to 300 characters, and very long ones are not the agency’s', () => {
  const read = (length: number) => readErrorMessage(JSON.stringify({ message: 'x'.repeat(length) }));
  expect(read(300)).toBe('x'.repeat(300));
  expect(read(301)).toBe(`${'x'.repeat(299)}…`);
  expect(read(2_000)).toHaveLength(300);
  expect(read(2_001)).toBeUndefined();
});
