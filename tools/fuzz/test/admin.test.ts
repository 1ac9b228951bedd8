import { expect, test } from 'vitest';
import { neverSucceeded, SIGNED, useFuzzed } from './use-fuzzed.ts';

const fuzzed = useFuzzed('admin');
/** For named administrators only. */
const NAMED = ['saveLogViews', 'removeLogView'];

test('an administrator is never answered 5xx, nor anything but what the document says', () => {
  const { passed, output } = fuzzed();
  expect(passed, output).toBe(true);
});

test('every route that is open to administrators has served one', () => {
  expect(neverSucceeded(fuzzed(), ['public', 'admin'], [...SIGNED, ...NAMED])).toEqual([]);
});
