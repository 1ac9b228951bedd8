import { expect, test } from 'vitest';
import { isTerminal, phaseOf } from './status-phase.ts';
import { OTHER_TERMINAL_TITLES, PHASES, TITLES_BY_PHASE } from './status-titles.ts';

const titles = PHASES.flatMap((phase) => TITLES_BY_PHASE[phase]);

test('every known title has exactly one phase', () => {
  expect(titles).toHaveLength(112);
  expect(new Set(titles.map((title) => title.toLowerCase())).size).toBe(titles.length);
});

test('every title that ends a case is a known title', () => {
  expect(OTHER_TERMINAL_TITLES.filter((title) => !titles.includes(title))).toEqual([]);
});

test.each([
  ['Case Was Received', 'received'],
  ['CASE  WAS  APPROVED ', 'decision'],
  ['Biometrics Were Waived', 'biometrics'],
  ['Second Interview Was Booked', 'interview'],
  ['Your Case Was Transferred Elsewhere', 'transferred'],
  ['Your Certificate Was Issued', 'card'],
  ['Case Was Administratively Closed', 'closed'],
  ['Something Entirely New', 'other'],
])('"%s" is in the phase %s', (title, phase) => {
  expect(phaseOf(title)).toBe(phase);
});

test.each([
  'Case Was Denied',
  'Case Was Rejected Because It Was Late',
  'Card Was Delivered To Me By The Post Office',
  'Petition Was Denied',
])('"%s" is terminal', (title) => {
  expect(isTerminal(title)).toBe(true);
});

test.each([
  'Case Was Approved',
  'Case Was Received',
  'Expedite Request Denied',
  'Fee Waiver Request Was Denied',
  'Intent to Revoke Notice Was Sent',
  'Something New',
])('"%s" is not terminal', (title) => {
  expect(isTerminal(title)).toBe(false);
});
