import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { findAlertedCases, type KnownCase } from './alerted-cases.ts';
import { sendableAt } from './choose-deliveries.ts';
import type { DeliveryLog, DueDelivery } from './delivery-log.ts';
import type { DeliveryKind, Prepared } from './send-due-deliveries.ts';
import type { Push, PushTarget } from './send-push.ts';
import type { Subject } from './subject.ts';
import { kindOf } from './user-settings.ts';

/** A device that a message goes to, and what its user allows there. */
export interface PushedDevice extends PushTarget {
  readonly publicKey: string;
  readonly showReceiptNumbers: boolean;
}

/** A due message of a notification to a device. */
export interface DuePush extends DueDelivery {
  readonly notificationId: string;
  readonly userId: string;
  readonly subject: Subject;
  readonly createdAt: Date;
  /** What the user chose, at this moment. */
  readonly settings: NotificationSettings;
  readonly device: PushedDevice;
  /** Whether a newer message about the case was sent to the device, or is due. */
  readonly newer: 'sent' | 'queued' | null;
}

/** Writes the message of one notification. */
export type PushComposer = (due: DuePush, known: KnownCase) => Push;

interface StatusPushParts {
  log: DeliveryLog<DuePush>;
  services: ServiceClient;
  compose: PushComposer;
  publicKey: string;
  isAllowed: (endpoint: string) => boolean;
  clock: Clock;
  logger: Logger;
}

/** Push messages of notifications: to devices of users who want them, with the user's name for the case or its form. */
export function statusPushes(parts: StatusPushParts): DeliveryKind<DuePush, Push> {
  return { log: parts.log, prepare: (due) => prepare(parts, due) };
}

async function prepare(parts: StatusPushParts, due: readonly DuePush[]): Promise<Prepared<DuePush, Push>> {
  const nowMs = parts.clock.nowMs();
  const dropped = due.flatMap((one) => {
    const reason = whyNot(parts, one);
    return reason === undefined ? [] : [{ due: one, reason }];
  });
  const wanted = due.filter((one) => whyNot(parts, one) === undefined);
  const cases = await findAlertedCases({ name: 'send push', ...parts }, wanted);
  const removed = wanted.filter((one) => cases.isRemoved(one, nowMs));
  const timed = wanted
    .filter((one) => !removed.includes(one))
    .map((one) => {
      const quietUntilMs = sendableAt(kindOf(one.subject), one.settings, nowMs);
      return { due: one, untilMs: Math.max(quietUntilMs, cases.awakeAtMs(one, nowMs)) };
    });
  return {
    ready: timed
      .filter(({ untilMs }) => untilMs <= nowMs)
      .map(({ due: one }) => ({ due: one, message: parts.compose(one, cases.of(one) ?? {}) })),
    dropped: [...dropped, ...removed.map((one) => ({ due: one, reason: 'removed' }))],
    postponed: timed.filter(({ untilMs }) => untilMs > nowMs),
  };
}

function whyNot({ publicKey, isAllowed }: StatusPushParts, due: DuePush): string | undefined {
  const kind = kindOf(due.subject);
  // One that is due may have to wait, for which what needs action does not wait.
  if (due.newer === 'sent' || (due.newer === 'queued' && kind !== 'needsAction')) return 'superseded';
  if (due.settings.push[kind] === 'never') return 'opted-out';
  // The device subscribes with the new one when the product is opened there.
  if (due.device.publicKey !== publicKey) return 'other-key';
  return isAllowed(due.device.endpoint) ? undefined : 'host-not-allowed';
}
