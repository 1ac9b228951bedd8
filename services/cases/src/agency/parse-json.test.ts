import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('JSON up to 20 levels is parsed', () => {
  expect(parseJson('{"a":[{"b":null}]}')).toEqual({ value: { a: [{ b: null }] } });
  expect(parseJson(nested(20))).toHaveProperty('value');
});

test.each([
  ['arrays', nested(21)],
  ['objects', `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`],
  ['arrays that never close', '['.repeat(100_000)],
])('%s nested deeper are refused before they are parsed', (_name, text) => {
  expect(parseJson(text)).toEqual({ fault: 'JSON nested more than 20 levels deep' });
});

test('brackets in texts are no levels', () => {
  const value = { [`[{"\\${'['.repeat(50)}`]: `\\"${'{'.repeat(50)}` };
  expect(parseJson(JSON.stringify(value))).toEqual({ value });
});

test('a long list on one level is parsed', () => {
  const value = Array.from({ length: 200 }, (_, nth) => ({ nth: [nth] }));
  expect(parseJson(JSON.stringify(value))).toEqual({ value });
});

test.each(['', '{"a":', 'no', '\0', '"'])('%j is not JSON', (text) => {
  expect(parseJson(text)).toEqual({ fault: 'not JSON' });
});
