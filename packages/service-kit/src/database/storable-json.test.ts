import { expect, test } from 'vitest';
import { storableJson } from './storable-json.ts';

test.each([
  ['NUL', 'a\0b', 'a\uFFFDb'],
  ['the first half of a character', 'a\uD83D', 'a\uFFFD'],
  ['the second half of a character', '\uDE00b', '\uFFFDb'],
])('%s, which a jsonb column refuses, is replaced in every text', (_name, text, stored) => {
  expect(JSON.parse(storableJson({ rows: [{ text }] }))).toEqual({ rows: [{ text: stored }] });
});

test('everything else is written as it is', () => {
  const value = {
    text: '\\u0000 \\ud83d \u0001 "😀" ñ',
    list: [null, 1.5, true],
    nested: { at: '2026-11-23' },
  };
  expect(storableJson(value)).toBe(JSON.stringify(value));
});
