import { expect, test } from 'vitest';
import { phaseOf } from './status-phase.ts';
import { PHASES, TITLES_BY_PHASE } from './status-titles.ts';

const titles = PHASES.flatMap((phase) => TITLES_BY_PHASE[phase]);

test('every known title has exactly one phase', () => {
  expect(titles).toHaveLength(112);
  expect(new Set(titles.map((title) => title.toLowerCase())).size).toBe(titles.length);
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
