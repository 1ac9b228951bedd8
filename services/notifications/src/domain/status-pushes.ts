import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { KnownCase } from './alerted-cases.ts';
import type { DeliveryLog, DueDelivery } from './delivery-log.ts';
import { judgeAlerts } from './judge-alerts.ts';
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
  /** Whether a message about a newer change of the case was sent to the device, or is due. */
  readonly newer: 'sent' | 'queued' | null;
  /** See `Alert`. */
  readonly restorableUntilMs: number | undefined;
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

/** Prepares push messages of notifications: to devices of users who want them, with the user's name for the case or its form. */
export function statusPushes(parts: StatusPushParts): DeliveryKind<DuePush, Push> {
  return { log: parts.log, prepare: (due) => prepare(parts, due) };
}

async function prepare(parts: StatusPushParts, due: readonly DuePush[]): Promise<Prepared<DuePush, Push>> {
  const nowMs = parts.clock.nowMs();
  const unsendable = due.flatMap((one) => {
    const reason = whyNot(parts, one);
    return reason === undefined ? [] : [{ due: one, reason }];
  });
  const isWanted = (one: DuePush) => one.settings.push[kindOf(one.subject)] !== 'never';
  const { awake, postponed, dropped, cases } = await judgeAlerts(
    { name: 'send push', ...parts },
    due.filter((one) => whyNot(parts, one) === undefined),
    { nowMs, isWanted },
  );
  return {
    ready: awake.map((one) => ({ due: one, message: parts.compose(one, cases.of(one) ?? {}) })),
    dropped: [...unsendable, ...dropped],
    postponed,
  };
}

function whyNot({ publicKey, isAllowed }: StatusPushParts, due: DuePush): string | undefined {
  const kind = kindOf(due.subject);
  // The message about the newest change stands for the others: on a device it would replace them. One that is due may have to wait,
  // for which what needs action does not wait.
  if (due.newer === 'sent' || (due.newer === 'queued' && kind !== 'needsAction')) return 'superseded';
  // The device subscribes with the new one when the product is opened there.
  if (due.device.publicKey !== publicKey) return 'other-key';
  return isAllowed(due.device.endpoint) ? undefined : 'host-not-allowed';
}
