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
  ...['Rejected', 'Withdrawn', 'Terminated', 'Closed', 'Abandoned'].map(
    (end) => [`It Was ${end}`, 'closed'] as const,
  ),
  ...['Biometric', 'Fingerprints'].map((taken) => [`${taken} Taken`, 'biometrics'] as const),
  ...['Evidence', 'Intent To Act', 'Response To Us'].map((what) => [`${what} Noted`, 'evidence'] as const),
  ...['Card', 'Document', 'Permit', 'Parole', 'Certificate'].map(
    (what) => [`${what} Noted`, 'card'] as const,
  ),
  ...[
    'Transferred',
    'Relocated',
    'Remanded',
    'Sent To Them',
    'Under New Jurisdiction',
    'At Another Office',
  ].map((where) => [`It Is ${where}`, 'transferred'] as const),
  ...[
    'Approval',
    'Denied',
    'Denial',
    'Dismissed',
    'Revoked',
    'Revocation',
    'Decision',
    'Granted',
    'Oath',
  ].map((what) => [`${what} Noted`, 'decision'] as const),
  ...['Received', 'Accepted', 'Receipt'].map((what) => [`${what} Noted`, 'received'] as const),
  // The first rule that fits decides.
  ['Interview Was Closed', 'closed'],
  ['Biometrics Before Interview', 'interview'],
  ['Evidence About Biometrics', 'biometrics'],
  ['Evidence About A Card', 'evidence'],
  ['Card Sent To You', 'card'],
  ['Decision Sent To You', 'transferred'],
  ['Denied As Received', 'decision'],
] as const)('"%s" is in the phase %s', (title, phase) => {
  expect(phaseOf(title)).toBe(phase);
});

test.each([
  'Case Was Denied',
  'Case Was Rejected Because It Was Late',
  'Card Was Delivered To Me By The Post Office',
  'Petition Was Denied',
  ...['Dismissed', 'Revoked', 'Destroyed', 'Delivered', 'Abandoned'].map((end) => `Petition Was ${end}`),
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
  ...['Your Request', 'The Intent To Act', 'Form G-28'].map((what) => `${what} Was Denied`),
  'Your Request Was Closed',
])('"%s" is not terminal', (title) => {
  expect(isTerminal(title)).toBe(false);
});
