import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
} from '@casewatch/contracts/notification-choices';
import { expect, test } from 'vitest';
import { kindOf, requireTimeZone, wantsStatusMails, withMails, withoutMails } from './user-settings.ts';

type Email = NotificationSettings['email'];
const NO_MAILS: Email = { status: 'never', needsAction: 'never', dates: 'never', digest: 'never' };
const withEmail = (email: Partial<Email>) => ({ ...DEFAULTS, email: { ...DEFAULTS.email, ...email } });

test('the switch of the profile shows whether e-mails come of a status change, however late', () => {
  expect(wantsStatusMails(withEmail({ status: 'weekly' }))).toBe(true);
  expect(wantsStatusMails(withEmail({ status: 'never' }))).toBe(false);
});

test('it turns all off, and turns on what is off', () => {
  const chosen = withEmail({ status: 'never', needsAction: 'daily', digest: 'weekly' });
  expect(withMails(chosen, false)).toEqual({ ...DEFAULTS, email: NO_MAILS });
  expect(withMails(chosen, true)).toEqual(withEmail({ ...chosen.email, status: 'immediately' }));
  const other = withEmail({ status: 'weekly', needsAction: 'never' });
  expect(withMails(other, true)).toEqual(withEmail({ status: 'weekly', needsAction: 'immediately' }));
});

test.each<[Parameters<typeof withoutMails>[1], Email, Email]>([
  ['all', { status: 'daily', needsAction: 'immediately', digest: 'weekly' }, NO_MAILS],
  [
    'status',
    { status: 'daily', needsAction: 'immediately', digest: 'weekly' },
    { status: 'never', needsAction: 'immediately', digest: 'weekly' },
  ],
  [
    'needsAction',
    { status: 'daily', needsAction: 'immediately', digest: 'weekly' },
    { status: 'daily', needsAction: 'never', digest: 'weekly' },
  ],
  [
    'digest',
    { status: 'daily', needsAction: 'immediately', digest: 'weekly' },
    { status: 'never', needsAction: 'immediately', digest: 'never' },
  ],
  [
    'digest',
    { status: 'immediately', needsAction: 'weekly', digest: 'never' },
    { status: 'immediately', needsAction: 'never', digest: 'never' },
  ],
])('the link that stops %s leaves the others', (kind, before, after) => {
  expect(withoutMails(withEmail(before), kind)).toEqual(withEmail(after));
});

test('a notice is of the kind that users choose by', () => {
  expect(kindOf({ kind: 'plan' })).toBe('billing');
  expect(kindOf({ kind: 'status', newStatus: 'Case Was Received' })).toBe('status');
  for (const newStatus of [
    'Request for Initial Evidence Was Sent',
    'NOTICE OF INTENT TO DENY WAS SENT.',
    'Case Was Denied',
    'Case Rejected For Incorrect Fee',
    'Visa Petition Was Denied And Returned',
  ])
    expect(kindOf({ kind: 'status', newStatus })).toBe('needsAction');
});

test('a time zone in which times can not be computed is refused', () => {
  expect(() => requireTimeZone({ timeZone: 'America/New_York' })).not.toThrow();
  const message = 'We do not know this time zone. Choose one like America/New_York.';
  expect(() => requireTimeZone({ timeZone: 'PST' })).toThrow(
    expect.objectContaining({
      code: 'VALIDATION',
      message,
      details: [{ path: 'timeZone', message, messageKey: 'time-zone-unknown' }],
    }),
  );
});
