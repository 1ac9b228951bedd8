import { expect, test } from 'vitest';
import { neverSucceeded, PAID, SIGNED, useFuzzed } from './use-fuzzed.ts';

const fuzzed = useFuzzed('free');
const EXPORTS = [
  'exportCasesCsv',
  'exportCasesNdjson',
  'exportNotificationsCsv',
  'exportNotificationsNdjson',
];
/** For pro users only, or about notifications that only they get. */
const PRO = ['lookUpCases', 'exportSavedCases', ...EXPORTS, 'markNotificationRead'];

test('a free user is never answered 5xx, nor anything but what the document says', () => {
  const { passed, output } = fuzzed();
  expect(passed, output).toBe(true);
});

test('every route that is open to free users has served one', () => {
  expect(neverSucceeded(fuzzed(), ['public', 'user'], [...SIGNED, ...PAID, ...PRO])).toEqual([]);
});
