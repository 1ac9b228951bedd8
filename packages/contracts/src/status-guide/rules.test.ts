import { expect, test } from 'vitest';
import { guidanceFor, needsAction, phaseOf } from '../status-guide.ts';

/** Titles that the guide does not know: real ones of other years, and what the agency may write. */
test.each([
  'Request for Additional Initial Evidence Was Issued',
  'A Request for Further Supporting Evidence Was Mailed',
  'Additional Evidence Is Required',
  'Notice of Intent to Terminate Was Sent',
  'Intent to Reopen And Deny Notice Was Mailed',
  'Intent to Reject Was Issued',
  'A Notice of Decision Was Mailed',
  'Decision Letter Was Sent',
  'Application Was Denied And Notice Was Sent',
  'Petition Was Denied For Abandonment',
  'Motion Was Dismissed',
  'Motion Was Denied',
  'Your Filing Was Rejected',
  'Filing Not Accepted',
  'Status Was Revoked',
  'Green Card Was Rescinded',
  'Parole Was Terminated',
  'Case Will Be Denied Unless You Respond',
  'Case Closed Unless Fee Is Paid',
  'Second Interview Was Scheduled',
  'Interview Notice Was Mailed',
  'Fingerprint Appointment Was Rescheduled',
  'Biometrics Were Scheduled At An Application Support Center',
  'Oath Ceremony Was Scheduled',
  'You Did Not Appear For Your Interview',
  'Applicant Failed To Appear',
  'Case Was Referred To The Immigration Court',
  'Notice To Appear Was Issued',
  'Green Card Was Returned By The Post Office',
  'Letter Was Undeliverable',
  'Permit Could Not Be Delivered',
  'Passport Is Being Held For 180 Days',
])('"%s" may set a date: it needs action, with careful words', (title) => {
  expect(needsAction(title)).toBe(true);
  expect(guidanceFor(title, '')).toMatchObject({
    isKnown: false,
    means: expect.stringContaining('It may have a deadline'),
  });
});

test.each([
  null,
  undefined,
  '',
  'Case Was Received By Our Service Center',
  'Your Case Was Approved Today',
  "Response To USCIS' Request For More Evidence Was Received",
  'Request For Evidence Response Was Reviewed',
  'Response To The Notice of Intent to Deny Was Received',
  'Intent to Revoke Was Withdrawn',
  'Request to Reschedule My Interview Was Received',
  'Interview Was Canceled By The Office',
  'Case is Waiting To Be Scheduled For An Oath Ceremony',
  'Biometrics Will Be Scheduled When They Are Ready To Be Scheduled',
  'Appeal Of A Denial Was Received',
  'Motion To Reopen A Denied Case Was Filed',
  'Denial Was Overturned',
  'Termination Was Vacated',
  'Petition Was Not Automatically Revoked',
  'Expedite Request Was Not Granted',
  'Notice That Was Returned Was Now Mailed',
  'Document Was Destroyed After It Was Returned',
  'Card Was Delivered',
  'Decision Notice Was Sent: Approved',
])('%j needs no action', (title) => {
  expect(needsAction(title)).toBe(false);
});

test('of a title that is too long for one only its beginning is read', () => {
  expect(needsAction('Interview Was Scheduled'.padStart(1_000))).toBe(true);
  expect(needsAction('Interview Was Scheduled'.padStart(1_001))).toBe(false);
});

test.each([
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
