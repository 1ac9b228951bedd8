import {
  DEFAULT_NOTIFICATION_SETTINGS as DEFAULTS,
  NOTIFICATION_KINDS,
  type NotificationSettings,
} from '@casewatch/contracts/notification-choices';
import { expect, test } from 'vitest';
import { type Channel, chooseDeliveries, chooseDigests, type NewNotification } from './choose-deliveries.ts';
import { kindOf } from './user-settings.ts';

const NOW = Date.UTC(2026, 0, 5, 23);
const MORNING = Date.UTC(2026, 0, 6, 7);
const ON: ReadonlySet<Channel> = new Set(['email']);
const of = (kind: NewNotification['kind']): NewNotification => ({
  id: 'n',
  userId: 'u',
  kind,
  createdAtMs: NOW,
});
const mailOf = (kind: NewNotification['kind'], settings: Partial<NotificationSettings>) =>
  chooseDeliveries(of(kind), { settings: { ...DEFAULTS, ...settings }, devices: [] }, ON)[0];

test.each(NOTIFICATION_KINDS)(
  'by default a notification (%s) becomes an e-mail that is due at once',
  (kind) => {
    expect(mailOf(kind, {})).toEqual({ channel: 'email', notificationId: 'n', dueMs: NOW });
  },
);

test.each([
  ['never', 'opted-out'],
  ['daily', 'in-digest'],
  ['weekly', 'in-digest'],
] as const)('an e-mail about a case that is to come %s is skipped, with the reason', (timing, reason) => {
  const email = { status: timing, needsAction: timing, digest: 'never' } as const;
  expect(mailOf('status', { email })).toMatchObject({ dueMs: undefined, reason });
  expect(mailOf('needsAction', { email })).toMatchObject({ dueMs: undefined, reason });
  expect(mailOf('billing', { email })).toMatchObject({ dueMs: NOW });
});

test('in quiet hours e-mails wait for their end, except what needs action', () => {
  const quietHours = { from: '22:00', until: '07:00' };
  expect(mailOf('status', { quietHours })).toMatchObject({ dueMs: MORNING });
  expect(mailOf('billing', { quietHours })).toMatchObject({ dueMs: MORNING });
  expect(mailOf('needsAction', { quietHours })).toMatchObject({ dueMs: NOW });
});

test.each([
  'Case Was Denied',
  'Case Was Rejected Because It Was Improperly Filed',
  'Notice of Intent to Deny Was Sent',
  'Notice Explaining USCIS’ Actions Was Mailed',
  'Petition Was Denied For Abandonment',
])('"%s" breaks through quiet hours and weekly digests, by e-mail and on devices', (newStatus) => {
  const kind = kindOf({ kind: 'status', newStatus });
  const settings = {
    quietHours: { from: '22:00', until: '07:00' },
    email: { status: 'weekly', needsAction: 'immediately', digest: 'weekly' },
    push: { status: 'weekly', needsAction: 'immediately', billing: 'immediately' },
  } as const;
  expect(mailOf(kind, settings)).toMatchObject({ dueMs: NOW });
  expect(pushesOf(kind, settings)[0]).toMatchObject({ dueMs: NOW });
});

test('a channel that is not offered gets nothing', () => {
  expect(chooseDeliveries(of('status'), { settings: DEFAULTS, devices: ['a'] }, new Set())).toEqual([]);
});

const pushesOf = (kind: NewNotification['kind'], settings: Partial<NotificationSettings>) =>
  chooseDeliveries(
    of(kind),
    { settings: { ...DEFAULTS, ...settings }, devices: ['a', 'b'] },
    new Set(['push']),
  );

test('each device gets a message of its own, also where e-mails are off', () => {
  const email = { status: 'never', needsAction: 'never', digest: 'never' } as const;
  expect(pushesOf('status', { email })).toEqual([
    { channel: 'push', notificationId: 'n', deviceId: 'a', dueMs: NOW },
    { channel: 'push', notificationId: 'n', deviceId: 'b', dueMs: NOW },
  ]);
});

test('messages of a kind that the user does not want on devices are skipped, with the reason', () => {
  const push = { ...DEFAULTS.push, status: 'never' } as const;
  expect(pushesOf('status', { push })[0]).toMatchObject({ dueMs: undefined, reason: 'opted-out' });
  expect(pushesOf('needsAction', { push })[0]).toMatchObject({ dueMs: NOW });
});

test('messages that are collected are skipped, with the digest that they wait for', () => {
  const push = { ...DEFAULTS.push, status: 'daily', needsAction: 'weekly' } as const;
  expect(pushesOf('status', { push })[0]).toMatchObject({ dueMs: undefined, reason: 'in-daily-digest' });
  expect(pushesOf('needsAction', { push })[0]).toMatchObject({
    dueMs: undefined,
    reason: 'in-weekly-digest',
  });
  expect(pushesOf('billing', { push })[0]).toMatchObject({ dueMs: NOW });
});

test('in quiet hours devices get what needs action only; the rest waits for their end', () => {
  const quietHours = { from: '22:00', until: '07:00' };
  expect(pushesOf('status', { quietHours })[0]).toMatchObject({ dueMs: MORNING });
  expect(pushesOf('needsAction', { quietHours })[0]).toMatchObject({ dueMs: NOW });
});

const BOTH: ReadonlySet<Channel> = new Set(['email', 'push']);
const digestsFor = (kind: NewNotification['kind'], changes: Partial<NotificationSettings>, channels = BOTH) =>
  chooseDigests(kind, { ...DEFAULTS, ...changes }, channels).map((one) => `${one.channel} ${one.kind}`);

test('a change waits for every digest by e-mail that its user gets, whatever else comes of it', () => {
  expect(digestsFor('status', {})).toEqual([]);
  const email = { status: 'immediately', needsAction: 'weekly', digest: 'daily' } as const;
  for (const kind of ['status', 'needsAction'] as const)
    expect(digestsFor(kind, { email })).toEqual(['email daily', 'email weekly']);
  expect(digestsFor('billing', { email })).toEqual([]);
  expect(digestsFor('status', { email }, new Set<Channel>(['push']))).toEqual([]);
});

test('a change waits for the digest to devices that was chosen for its kind, if any', () => {
  const push = { status: 'daily', needsAction: 'weekly', billing: 'immediately' } as const;
  expect(digestsFor('status', { push })).toEqual(['push daily']);
  expect(digestsFor('needsAction', { push })).toEqual(['push weekly']);
  expect(digestsFor('billing', { push })).toEqual([]);
  expect(digestsFor('status', { push }, new Set<Channel>(['email']))).toEqual([]);
  expect(digestsFor('needsAction', { push: { ...push, needsAction: 'never' } })).toEqual([]);
});
