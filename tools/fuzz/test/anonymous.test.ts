import { expect, test } from 'vitest';
import { neverSucceeded, SIGNED, useFuzzed } from './use-fuzzed.ts';

const fuzzed = useFuzzed('anonymous');

test('a visitor is never answered 5xx, nor anything but what the document says', () => {
  const { passed, output } = fuzzed();
  expect(passed, output).toBe(true);
});

test('every route that is open to visitors has served one', () => {
  expect(neverSucceeded(fuzzed(), ['public'], SIGNED)).toEqual([]);
});
