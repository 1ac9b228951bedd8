import { CASE_NICKNAMES_MAX, type CaseDetails, listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
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
  /** A newer message about the case is sent to the device, or about to be. */
  readonly superseded: boolean;
}

/** What is known of the case; nothing while cases is unavailable. */
export type KnownCase = Partial<CaseDetails>;

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
  const cases = await casesOf(parts, wanted);
  const timed = wanted.map((one) => {
    const known = cases.get(keyOf(one.userId, one.subject)) ?? {};
    return { due: one, known, untilMs: sendableFrom(one, known, nowMs) };
  });
  return {
    ready: timed
      .filter(({ untilMs }) => untilMs <= nowMs)
      .map(({ due: one, known }) => ({ due: one, message: parts.compose(one, known) })),
    dropped,
    postponed: timed.filter(({ untilMs }) => untilMs > nowMs),
  };
}

function whyNot({ publicKey, isAllowed }: StatusPushParts, due: DuePush): string | undefined {
  if (due.superseded) return 'superseded';
  if (due.settings.push[kindOf(due.subject)] === 'never') return 'opted-out';
  // The device subscribes with the new one when the product is opened there.
  if (due.device.publicKey !== publicKey) return 'other-key';
  return isAllowed(due.device.endpoint) ? undefined : 'host-not-allowed';
}

/** What needs action waits neither for the end of quiet hours nor for that of a snooze. */
function sendableFrom({ subject, settings }: DuePush, { snoozedUntil }: KnownCase, nowMs: number): number {
  const kind = kindOf(subject);
  if (kind === 'needsAction') return nowMs;
  return Math.max(sendableAt(kind, settings, nowMs), snoozedUntil ? Date.parse(snoozedUntil) : nowMs);
}

/** What the user calls a case is a convenience: a message is sent without it rather than late. */
async function casesOf({ services, logger }: StatusPushParts, due: readonly DuePush[]) {
  const asked = new Map(
    due.flatMap(({ userId, subject }) =>
      subject.kind === 'status'
        ? [[keyOf(userId, subject), { userId, receiptNumber: subject.receiptNumber }]]
        : [],
    ),
  );
  const known = new Map<string, KnownCase>();
  if (asked.size === 0) return known;
  try {
    const body = { cases: [...asked.values()].slice(0, CASE_NICKNAMES_MAX) };
    const { nicknames, details } = await services.call(listCaseNicknames, { body });
    for (const found of details ?? nicknames)
      known.set(keyOf(found.userId, { kind: 'status', ...found }), found);
  } catch (error) {
    logger.warn({ err: error }, 'send push: case lookup failed, sending without names');
  }
  return known;
}

const keyOf = (userId: string, subject: { kind: 'plan' } | { kind: 'status'; receiptNumber: string }) =>
  subject.kind === 'status' ? `${userId} ${subject.receiptNumber}` : userId;
