import type { KnownCase } from './alerted-cases.ts';
import { checkDevices, type PushedDevice, type PushParts } from './check-devices.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { type DueAlert, judgeAlerts } from './judge-alerts.ts';
import type { DeliveryKind } from './send-due-deliveries.ts';
import type { Push } from './send-push.ts';
import { kindOf } from './user-settings.ts';

/** A due message of a notification to a device. */
export interface DuePush extends DueAlert {
  readonly notificationId: string;
  readonly device: PushedDevice;
  /** Whether a message about a newer change of the case was sent to the device, or is due. */
  readonly newer: 'sent' | 'queued' | null;
}

/** Writes the message of one notification. */
export type PushComposer = (due: DuePush, known: KnownCase) => Push;

/** Prepares push messages of notifications: to devices of users who want them, with the user's name for the case or its form. */
export function statusPushes(
  parts: PushParts & { log: DeliveryLog<DuePush>; compose: PushComposer },
): DeliveryKind<DuePush, Push> {
  const isWanted = ({ settings, subject }: DuePush) => settings.push[kindOf(subject)] !== 'never';
  // The message about the newest change stands for the others: on a device it would replace them. One that is due may have to wait,
  // for which what needs action does not wait.
  const isSuperseded = ({ newer, subject }: DuePush) =>
    subject.kind !== 'date' &&
    (newer === 'sent' || (newer === 'queued' && kindOf(subject) !== 'needsAction'));
  return {
    log: parts.log,
    prepare: async (due) => {
      const { sendable, refused } = checkDevices(parts, due, isSuperseded);
      const { ready, dropped, ...judged } = await judgeAlerts(
        { name: 'send push', ...parts },
        sendable,
        isWanted,
      );
      return {
        ...judged,
        ready: ready.map((one) => ({ due: one.due, message: parts.compose(one.due, one.message) })),
        dropped: [...refused, ...dropped],
      };
    },
  };
}
