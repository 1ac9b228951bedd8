import { SAVED_CASE_SORTS } from '@casewatch/contracts/workspace';
import { expect, onTestFinished, test, vi } from 'vitest';
import { countFilters, SORTS, withoutFilters, withParameters, workspaceQueryOf } from './workspace-query.ts';

const parse = (text: string) => workspaceQueryOf(new URLSearchParams(text));

test('every order of the server is offered', () => {
  expect(SORTS.toSorted()).toEqual([...SAVED_CASE_SORTS].sort());
});

test('an address without parameters shows the newest first', () => {
  expect(parse('')).toEqual({ sort: 'created', order: 'desc' });
});

test('an address says all that is searched, filtered and sorted by', () => {
  const text =
    'search=+Mom+&status=Case+Was+Approved&form=I-130&tag=Family&monitoring=any&needsAction=true&archived=true&sort=nickname';
  expect(parse(text)).toEqual({
    search: 'Mom',
    status: 'Case Was Approved',
    form: 'I-130',
    tag: 'Family',
    monitoring: 'any',
    needsAction: true,
    archived: true,
    sort: 'nickname',
    order: 'asc',
  });
  expect(countFilters(new URLSearchParams(text))).toBe(7);
});

test.each([
  'sort=__proto__&order=sideways&monitoring=hourly&needsAction=1&archived=maybe&changedSince=yesterday',
  'changedSince=2026-99-99',
  'search=%00&tag=+',
])('what no server would take is left out: %s', (text) => {
  expect(parse(text)).toEqual({ sort: 'created', order: 'desc' });
});

test.each([
  [0, '+00:00'],
  [300, '-05:00'],
  [210, '-03:30'],
  [-345, '+05:45'],
])('a day begins at its midnight here, %i minutes behind GMT', (minutes, offset) => {
  const zone = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(minutes);
  onTestFinished(() => zone.mockRestore());
  expect(parse('changedSince=2026-01-09').changedSince).toBe(`2026-01-09T00:00:00${offset}`);
});

test('a date is due until a day that is counted from today, in the zone of the device', () => {
  vi.useFakeTimers({ now: new Date(2026, 11, 30, 23, 30) });
  onTestFinished(() => void vi.useRealTimers());
  expect(['-1', '7', '14', '30', '8'].map((days) => parse(`dateUntil=${days}`).dateUntil)).toEqual([
    '2026-12-29',
    '2027-01-06',
    '2027-01-13',
    '2027-01-29',
    undefined,
  ]);
  expect(countFilters(new URLSearchParams('dateUntil=7'))).toBe(1);
});

test('a text that is too long is cut', () => {
  expect(parse(`search=${'x'.repeat(10_000)}`).search).toHaveLength(100);
});

test('parameters are set and removed, and others stay', () => {
  const start = new URLSearchParams('search=Mom&other=1&sort=form');
  expect(`${withParameters(start, { search: '', tag: 'Family' })}`).toBe('other=1&sort=form&tag=Family');
  expect(`${withoutFilters(start)}`).toBe('other=1&sort=form');
});
