import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  type NotificationSettings,
  type PushTimings,
} from '@casewatch/contracts/notification-choices';
import { expect, test } from 'vitest';
import {
  kindOf,
  requireTimeZone,
  settingsOf,
  wantsStatusMails,
  withMails,
  withoutCollected,
  withoutMails,
} from './user-settings.ts';

type Email = NotificationSettings['email'];
type Push = NotificationSettings['push'];
const NO_MAILS: Email = { status: 'never', needsAction: 'never', digest: 'never' };
const withEmail = (email: Partial<Email>) => ({ ...DEFAULTS, email: { ...DEFAULTS.email, ...email } });
const withPush = (push: Partial<Push>) => ({ ...DEFAULTS, push: { ...DEFAULTS.push, ...push } });

test('without a choice the defaults count, or no e-mails where the switch is off', () => {
  const nothing = { settings: undefined, pushTimings: undefined };
  expect(settingsOf({ ...nothing, email: true })).toEqual(DEFAULTS);
  expect(settingsOf({ ...nothing, email: false })).toEqual({ ...DEFAULTS, email: NO_MAILS });
});

test.each<[Email['status'], boolean, Email['status']]>([
  ['daily', true, 'daily'],
  ['never', false, 'never'],
  ['never', true, 'immediately'],
  ['daily', false, 'never'],
])('with a status timing of %s and the switch at %s it is %s', (status, email, expected) => {
  const settings = withEmail({ status, needsAction: 'weekly' });
  const read = settingsOf({ settings, email, pushTimings: undefined });
  expect(read).toEqual(withEmail({ status: expected, needsAction: 'weekly' }));
});

test.each<[Push, PushTimings | undefined, Push]>([
  [
    { status: 'never', needsAction: 'never', billing: 'never' },
    { status: 'daily', needsAction: 'weekly' },
    { status: 'daily', needsAction: 'weekly', billing: 'never' },
  ],
  [
    { status: 'immediately', needsAction: 'immediately', billing: 'immediately' },
    { status: 'daily', needsAction: 'weekly' },
    { status: 'immediately', needsAction: 'immediately', billing: 'immediately' },
  ],
  [
    { status: 'never', needsAction: 'never', billing: 'immediately' },
    { status: 'immediately', needsAction: 'never' },
    { status: 'never', needsAction: 'never', billing: 'immediately' },
  ],
  [
    { status: 'never', needsAction: 'immediately', billing: 'never' },
    undefined,
    { status: 'never', needsAction: 'immediately', billing: 'never' },
  ],
])('of push messages %o, collected as %o, it reads %o', (push, pushTimings, expected) => {
  expect(settingsOf({ settings: withPush(push), email: true, pushTimings })).toEqual(withPush(expected));
});

test('where push messages are collected, nothing is stored as sent for a process that can not collect', () => {
  const push = { status: 'daily', needsAction: 'immediately', billing: 'never' } as const;
  expect(withoutCollected(withPush(push))).toEqual(withPush({ ...push, status: 'never' }));
  const others = { status: 'never', needsAction: 'weekly', billing: 'immediately' } as const;
  expect(withoutCollected(withPush(others))).toEqual(withPush({ ...others, needsAction: 'never' }));
});

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
  expect(kindOf({ kind: 'status', newStatus: 'Request for Initial Evidence Was Sent' })).toBe('needsAction');
});

test('a time zone in which times can not be computed is refused', () => {
  expect(() => requireTimeZone({ timeZone: 'America/New_York' })).not.toThrow();
  const message = 'This time zone is not known here. Choose one like America/New_York.';
  expect(() => requireTimeZone({ timeZone: 'PST' })).toThrow(
    expect.objectContaining({ code: 'VALIDATION', message, details: [{ path: 'timeZone', message }] }),
  );
});
