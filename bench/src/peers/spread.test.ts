import { expect, test } from 'vitest';
import { median, spread } from './spread.ts';

test('the median is the one in the middle, whatever the order', () => {
  expect(median([10, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(3);
});

test('a spread shows the median and, in brackets, the least and the most', () => {
  expect(spread([3, 1, 2], 1)).toBe('2.0 (1.0-3.0)');
});
