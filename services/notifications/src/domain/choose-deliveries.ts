import type { Subject } from './subject.ts';

/** The ways on which a notification leaves the product. */
export const CHANNELS = ['email', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A notification that has just been stored, in the transaction that also stores its deliveries. */
export interface NewNotification {
  readonly id: string;
  readonly userId: string;
  readonly kind: Subject['kind'];
  readonly createdAtMs: number;
}

/** What the user has chosen, read in that transaction. */
export interface Recipient {
  readonly wantsEmail: boolean;
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

/** An e-mail about the plan is part of the contract and is sent in any case. */
function emailOf({ id, kind, createdAtMs }: NewNotification, { wantsEmail }: Recipient): ChosenDelivery {
  const email = { channel: 'email', notificationId: id } as const;
  if (kind === 'plan' || wantsEmail) return { ...email, dueMs: createdAtMs };
  return { ...email, dueMs: undefined, reason: 'opted-out' };
}

function pushesOf({ id, createdAtMs }: NewNotification, { devices }: Recipient): ChosenDelivery[] {
  return devices.map((deviceId) => ({ channel: 'push', notificationId: id, deviceId, dueMs: createdAtMs }));
}
