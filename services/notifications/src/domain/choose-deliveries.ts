import type { NotificationKind, NotificationSettings } from '@casewatch/contracts/notification-choices';
import { type DigestKind, digestsOf } from './digest-schedule.ts';
import { afterQuietHours } from './quiet-hours.ts';

/** The ways on which a notification leaves the product. */
export const CHANNELS = ['email', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Why a push message is not sent by itself: the digest that it is collected for. */
export const COLLECTED = { daily: 'in-daily-digest', weekly: 'in-weekly-digest' } as const;

/** A notification that has just been stored, in the transaction that also stores its deliveries. */
export interface NewNotification {
  readonly id: string;
  readonly userId: string;
  readonly kind: NotificationKind;
  readonly createdAtMs: number;
}

/** What the user has chosen, read in that transaction. */
export interface Recipient {
  readonly settings: NotificationSettings;
  /** Those that get push messages. */
  readonly devices: readonly string[];
}

/** One message to one place. */
export interface ChosenDelivery {
  readonly channel: Channel;
  readonly notificationId: string;
  /** Of a push message; one device, one message. */
  readonly deviceId?: string;
  /** When it is due; undefined: it is not sent, for the `reason`. */
  readonly dueMs: number | undefined;
  readonly reason?: string;
}

/**
 * Chooses the deliveries of a notification: the one place that decides on which channels it leaves, and when. `channels`
 * are those that this installation offers.
 */
export function chooseDeliveries(
  notification: NewNotification,
  recipient: Recipient,
  channels: ReadonlySet<Channel>,
): ChosenDelivery[] {
  return [
    ...(channels.has('email') ? [emailOf(notification, recipient)] : []),
    ...(channels.has('push') ? pushesOf(notification, recipient) : []),
  ];
}

function emailOf({ id, kind, createdAtMs }: NewNotification, { settings }: Recipient): ChosenDelivery {
  const email = { channel: 'email', notificationId: id } as const;
  const timing = mailTiming(kind, settings);
  if (timing === 'immediately') return { ...email, dueMs: sendableAt(kind, settings, createdAtMs) };
  return { ...email, dueMs: undefined, reason: timing === 'never' ? 'opted-out' : 'in-digest' };
}

function pushesOf(
  { id, kind, createdAtMs }: NewNotification,
  { settings, devices }: Recipient,
): ChosenDelivery[] {
  const timing = settings.push[kind] ?? 'immediately';
  const time =
    timing === 'immediately'
      ? { dueMs: sendableAt(kind, settings, createdAtMs) }
      : { dueMs: undefined, reason: timing === 'never' ? 'opted-out' : COLLECTED[timing] };
  return devices.map((deviceId) => ({ channel: 'push', notificationId: id, deviceId, ...time }));
}

/** A digest that a notification waits for. */
export interface ChosenDigest {
  readonly channel: Channel;
  readonly kind: DigestKind;
}

/**
 * Chooses the digests that a notification waits for. One by e-mail reports every change; one to devices those that have no message of
 * their own. One about the plan and a reminder wait for none.
 */
export function chooseDigests(
  kind: NotificationKind,
  settings: NotificationSettings,
  channels: ReadonlySet<Channel>,
): ChosenDigest[] {
  if (kind === 'billing' || kind === 'dates') return [];
  const onDevices = digestsOf(settings, 'push').filter((digest) => digest === settings.push[kind]);
  return [
    ...(channels.has('email') ? digestsOf(settings, 'email').map((digest) => inDigest('email', digest)) : []),
    ...(channels.has('push') ? onDevices.map((digest) => inDigest('push', digest)) : []),
  ];
}

const inDigest = (channel: Channel, kind: DigestKind): ChosenDigest => ({ channel, kind });

/** Returns when an e-mail of this kind comes. One about the plan is part of the contract and comes in any case. */
export function mailTiming(kind: NotificationKind, { email }: Pick<NotificationSettings, 'email'>) {
  return kind === 'billing' ? 'immediately' : (email[kind] ?? 'immediately');
}

/** Returns when a message that is ready at `atMs` may be sent: what needs action does not wait for the end of quiet hours. */
export function sendableAt(
  kind: NotificationKind,
  { quietHours, timeZone }: Pick<NotificationSettings, 'quietHours' | 'timeZone'>,
  atMs: number,
): number {
  return kind === 'needsAction' ? atMs : afterQuietHours(atMs, quietHours, timeZone);
}
