import { expect, test } from 'vitest';
import { type Channel, chooseDeliveries, type NewNotification } from './choose-deliveries.ts';

const NOW = 1_700_000_000_000;
const ON: ReadonlySet<Channel> = new Set(['email']);
const of = (kind: NewNotification['kind']): NewNotification => ({
  id: 'n',
  userId: 'u',
  kind,
  createdAtMs: NOW,
});

test('a notification becomes an e-mail that is due at once', () => {
  expect(chooseDeliveries(of('status'), { wantsEmail: true, devices: [] }, ON)).toEqual([
    { channel: 'email', notificationId: 'n', dueMs: NOW },
  ]);
});

test('an e-mail about a case that the user does not want is skipped, with the reason', () => {
  expect(chooseDeliveries(of('status'), { wantsEmail: false, devices: [] }, ON)).toEqual([
    { channel: 'email', notificationId: 'n', dueMs: undefined, reason: 'opted-out' },
  ]);
});

test('an e-mail about the plan is sent in any case', () => {
  expect(chooseDeliveries(of('plan'), { wantsEmail: false, devices: [] }, ON)).toMatchObject([
    { dueMs: NOW },
  ]);
});

test('a channel that is not offered gets nothing', () => {
  expect(chooseDeliveries(of('status'), { wantsEmail: true, devices: [] }, new Set())).toEqual([]);
});

test('each device gets a message of its own, whether or not e-mails are wanted', () => {
  const recipient = { wantsEmail: false, devices: ['a', 'b'] };
  expect(chooseDeliveries(of('status'), recipient, new Set(['push']))).toEqual([
    { channel: 'push', notificationId: 'n', deviceId: 'a', dueMs: NOW },
    { channel: 'push', notificationId: 'n', deviceId: 'b', dueMs: NOW },
  ]);
  expect(chooseDeliveries(of('status'), recipient, ON)).toMatchObject([{ channel: 'email' }]);
});
