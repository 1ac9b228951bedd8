import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { expect, test } from 'vitest';
import { caseTimes, checkWords } from './case-days.ts';

const NOW = new Date(2026, 10, 22, 9, 30).getTime();
const at = (month: number, day: number, hour = 12) => new Date(2026, month - 1, day, hour).toISOString();

type Entry = CaseStatusResult['histCaseData'][number];
const entry = (statusHistDate: string | null, firstObservedAt: string | null = null): Entry => ({
  caseStatus: 'Case Was Received',
  statusHistDate,
  source: firstObservedAt === null ? 'agency' : 'observed',
  firstObservedAt,
});
const result = (facts: Partial<CaseStatusResult>): CaseStatusResult => ({
  receiptNumber: 'EAC9999103403',
  caseStatus: 'Case Was Received',
  needsAction: false,
  caseDescription: '',
  descriptionLinks: [],
  formType: 'I-130',
  applicationOrPetitionType: '',
  caseSubstatus: 'received',
  channelType: '',
  caseCreationDate: null,
  caseLastUpdated: null,
  histCaseData: [],
  observedAt: at(11, 22, 8),
  ...facts,
});

const daysInStatus = (of: CaseStatusResult) => caseTimes(of, NOW).inStatus;
const daysSinceReceipt = (of: CaseStatusResult) => caseTimes(of, NOW).sinceReceipt;

test('days in a status are counted by the calendar, from the date that the agency gives', () => {
  const days = (date: string) => daysInStatus(result({ histCaseData: [entry(date)] }));
  expect(days('2026-11-10')).toEqual({ text: '12 days', since: 'Nov 10, 2026' });
  expect(days('11-21-2026 23:59:00')).toEqual({ text: '1 day', since: 'Nov 21, 2026' });
  expect(days('2026-11-22')).toEqual({ text: 'Since today' });
  expect(days('2026-11-30').text).toBe('Since today');
});

test('without a date of the agency nothing is counted, and the day on which we first saw the status is told', () => {
  const seen = caseTimes(result({ histCaseData: [entry(null, at(11, 19))] }), NOW);
  expect(seen).toMatchObject({ inStatus: { text: 'Unknown' }, seenOn: 'Nov 19, 2026' });
  for (const histCaseData of [[entry(null)], [], [entry('2026-11-10', at(11, 19))]])
    expect(caseTimes(result({ histCaseData }), NOW).seenOn).toBeUndefined();
});

test.each([
  ['Case Was Approved', '2023-09-05', 'Sep 5, 2023', true],
  ['Case Was Denied', '2023-09-05', 'Sep 5, 2023', true],
  ['Case Was Received', '2026-11-10', '12 days', false],
])('since %s it is the day that counts, once it is decided', (caseStatus, day, text, isDecided) => {
  const dated = result({ caseStatus, histCaseData: [{ ...entry(day), caseStatus }] });
  expect(caseTimes(dated, NOW)).toMatchObject({ inStatus: { text }, isDecided });
});

test('what both counts say is said once', () => {
  const facts = { caseCreationDate: '2026-11-10', histCaseData: [entry('2026-11-10')] };
  expect(caseTimes(result(facts), NOW).sinceReceipt).toBeUndefined();
  expect(caseTimes(result({ ...facts, caseCreationDate: '2026-11-09' }), NOW).sinceReceipt?.text).toBe(
    '13 days',
  );
});

test('a history whose newest entry is another status says nothing about this one', () => {
  const behind = result({ caseStatus: 'Case Was Approved', histCaseData: [entry('2026-11-10')] });
  expect(daysInStatus(behind)).toEqual({ text: 'Unknown' });
});

test('a title that the history writes in another way is the same status', () => {
  const shown = result({ caseStatus: 'CASE WAS  RECEIVED.', histCaseData: [entry('2026-11-10')] });
  expect(daysInStatus(shown).text).toBe('12 days');
});

test('what the agency has withdrawn says nothing about the status that the case has, nor about its receipt', () => {
  const withdrawn = { withdrawnAt: at(11, 20) };
  const denied = { ...entry('2026-11-15'), caseStatus: 'Case Was Denied', ...withdrawn };
  const histCaseData = [denied, entry('2026-11-10'), { ...entry('2020-01-01'), ...withdrawn }];
  expect(daysInStatus(result({ histCaseData })).text).toBe('12 days');
  expect(daysSinceReceipt(result({ histCaseData }))?.text).toBe('At least 12 days');
  const current = [{ ...entry('2026-11-10'), ...withdrawn }];
  expect(daysInStatus(result({ histCaseData: current })).text).toBe('12 days');
});

test('days since receipt begin with the date of receipt, else with the oldest date there is', () => {
  expect(daysSinceReceipt(result({ caseCreationDate: '09-05-2026 14:28:46' }))).toEqual({
    text: '78 days',
    since: 'Sep 5, 2026',
  });
  const histCaseData = [entry('2026-11-10'), entry('unreadable'), entry('2026-10-23')];
  expect(daysSinceReceipt(result({ histCaseData }))?.text).toBe('At least 30 days');
  expect(caseTimes(result({}), NOW)).toMatchObject({
    inStatus: { text: 'Unknown' },
    sinceReceipt: undefined,
  });
});

test('a check of today says whether it found a change', () => {
  const known = result({ histCaseData: [entry('2026-11-10', at(11, 12))] });
  expect(checkWords(known, null, NOW)).toBe('No change, checked today at 8:00 AM');
  expect(checkWords(known, at(11, 22, 9), NOW)).toBe('No change, checked today at 9:00 AM');
  const changed = result({ histCaseData: [entry('2026-11-22', at(11, 22, 8))] });
  expect(checkWords(changed, null, NOW)).toBe('Checked today at 8:00 AM');
});

test('an older check says when it was', () => {
  expect(checkWords(result({ observedAt: at(11, 20, 15) }), null, NOW)).toBe(
    'Last checked Nov 20, 2026 3:00 PM',
  );
  expect(checkWords(result({ observedAt: at(11, 20, 15) }), 'yesterday', NOW)).toBe(
    'Last checked Nov 20, 2026 3:00 PM',
  );
});
