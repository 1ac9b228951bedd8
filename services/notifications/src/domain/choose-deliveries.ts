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
}

/** One message to one place. */
export interface ChosenDelivery {
  readonly channel: Channel;
  readonly notificationId: string;
  /** When it is due; undefined: it is not sent, for the `reason`. */
  readonly dueMs: number | undefined;
  readonly reason?: string;
}

/**
 * Chooses the deliveries of a notification: the one place that decides on which channels it leaves, and when. `channels`
 * are those that this installation offers. An e-mail about the plan is part of the contract and is sent in any case.
 */
export function chooseDeliveries(
  { id, kind, createdAtMs }: NewNotification,
  { wantsEmail }: Recipient,
  channels: ReadonlySet<Channel>,
): ChosenDelivery[] {
  if (!channels.has('email')) return [];
  const email = { channel: 'email', notificationId: id } as const;
  if (kind === 'plan' || wantsEmail) return [{ ...email, dueMs: createdAtMs }];
  return [{ ...email, dueMs: undefined, reason: 'opted-out' }];
}
