import { expect, test } from 'vitest';
import { neverSucceeded, PAID, SIGNED, useFuzzed } from './use-fuzzed.ts';

const fuzzed = useFuzzed('pro');

test('a pro user is never answered 5xx, nor anything but what the document says', () => {
  const { passed, output } = fuzzed();
  expect(passed, output).toBe(true);
});

test('every route that is open to pro users has served one', () => {
  expect(neverSucceeded(fuzzed(), ['public', 'user'], [...SIGNED, ...PAID])).toEqual([]);
});
