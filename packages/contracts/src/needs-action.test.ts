import { expect, test } from 'vitest';
import { needsAction } from './needs-action.ts';

test.each([
  'Request for Additional Evidence Was Sent',
  'Request for Initial Evidence Was Sent',
  'Request For Evidence Was Mailed',
  'CWR Notice of Intent to Revoke Sent',
  'Notice Of Intent To Deny Was Sent',
  'Intent To Rescind Notice Was Mailed',
  'Intent to Revoke Notice Was Sent',
  'Interview Was Scheduled',
  'Interview Was Rescheduled',
  'Biometrics Appointment Was Scheduled',
  'Fingerprint and Biometrics Appointment Was Scheduled',
  '  fingerprint  appointment was rescheduled ',
  'Case Was Updated To Show That No One Appeared for In-Person Processing',
  'Notice Was Returned To USCIS Because The Post Office Could Not Deliver It',
  'Card Was Returned To USCIS',
  'Card Is Being Returned to USCIS by Post Office',
  'Travel Document Was Returned to USCIS And Will Be Held For 180 Days',
])('"%s" needs action', (title) => {
  expect(needsAction(title)).toBe(true);
});

test('of a title that is too long for one only its beginning is read', () => {
  expect(needsAction('Interview Was Scheduled'.padStart(1_000))).toBe(true);
  expect(needsAction('Interview Was Scheduled'.padStart(1_001))).toBe(false);
});

test.each([
  null,
  undefined,
  '',
  'Case Was Received',
  'Case Was Approved',
  'Case Was Denied',
  'Case is Ready to Be Scheduled for An Interview',
  'Case Was Transferred To Schedule An Interview',
  'Interview Cancelled And Notice Ordered',
  'Interview Was Completed And My Case Must Be Reviewed',
  "Response To USCIS' Request For Evidence Was Received",
  'Request for Additional Information Received',
  'Case Was Updated To Show Fingerprints Were Taken',
  'Fingerprint Fee Was Received',
  'Request To Reschedule My Appointment Was Received',
  'Card Was Received By USCIS Along With My Letter',
  'Card Was Delivered To Me By The Post Office',
  'Card Was Mailed To Me',
])('%j needs no action', (title) => {
  expect(needsAction(title)).toBe(false);
});
