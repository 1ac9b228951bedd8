import { expect, test } from 'vitest';
import { formatAge } from './format-age.ts';

const THEN = '2026-03-01T12:00:00.000Z';
const after = (ms: number) => Date.parse(THEN) + ms;

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 minute ago'],
  [59 * 60_000, '59 minutes ago'],
  [3_600_000, '1 hour ago'],
  [86_399_000, '23 hours ago'],
  [86_400_000, '1 day ago'],
  [10 * 86_400_000, '10 days ago'],
])('%d ms later it was %s', (ms, text) => {
  expect(formatAge(THEN, after(ms))).toBe(text);
});

test('a moment a little ahead of a slow clock was just now', () => {
  expect(formatAge(THEN, after(-5_000))).toBe('just now');
});

test('a bad moment has no age', () => {
  expect(formatAge('soon', after(0))).toBe('at an unknown time');
});
