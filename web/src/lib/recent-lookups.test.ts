import { expect, test } from 'vitest';
import { clearRecent, RECENT_MAX, readRecent, rememberRecent } from './recent-lookups.ts';

const ADA = 'ada';
const GRACE = 'grace';

function storeWith(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries));
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return () => store;
}
const lookup = (digit: number, status = 'Case Was Received') => ({
  receiptNumber: `EAC999910340${digit}`,
  status,
});

test('the newest lookups come first, each case once with its newest status, never more than the most', () => {
  const open = storeWith();
  for (const digit of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) rememberRecent(open, ADA, lookup(digit));
  expect(rememberRecent(open, ADA, lookup(5, 'Case Was Approved'))).toHaveLength(RECENT_MAX);
  expect(readRecent(open, ADA).slice(0, 3)).toEqual([lookup(5, 'Case Was Approved'), lookup(9), lookup(8)]);
});

test('a status is kept with the agency’s own Spanish, where it has one', () => {
  const open = storeWith();
  const inSpanish = { ...lookup(1, 'Something New'), statusEs: 'Algo nuevo' };
  rememberRecent(open, ADA, inSpanish);
  rememberRecent(open, ADA, { ...lookup(2), statusEs: undefined });
  expect(readRecent(open, ADA)).toEqual([lookup(2), inSpanish]);
});

test('each user of a device has a list of their own, and can clear it', () => {
  const open = storeWith();
  rememberRecent(open, ADA, lookup(1));
  rememberRecent(open, GRACE, lookup(2));
  clearRecent(open, ADA);
  expect(readRecent(open, ADA)).toEqual([]);
  expect(readRecent(open, GRACE)).toEqual([lookup(2)]);
});

test.each(['nonsense', '{}', '[1, null, {"receiptNumber": "<b>", "status": "x"}]'])(
  'data of another format (%s) is ignored',
  (text) => {
    expect(readRecent(storeWith({ 'recent-lookups-ada': text }), ADA)).toEqual([]);
  },
);

test('a browser that forbids storage has no list and does not fail', () => {
  const forbidden = () => {
    throw new Error('denied');
  };
  expect(readRecent(forbidden, ADA)).toEqual([]);
  expect(rememberRecent(forbidden, ADA, lookup(1))).toEqual([lookup(1)]);
  expect(() => clearRecent(forbidden, ADA)).not.toThrow();
});
