import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { type Alert, findAlertedCases, type KnownCase } from './alerted-cases.ts';
import { sendableAt } from './choose-deliveries.ts';
import type { DueDelivery } from './delivery-log.ts';
import type { Postponed, Prepared } from './send-due-deliveries.ts';
import { kindOf } from './user-settings.ts';

/** A due message that is an alert, with what its user chose at this moment. */
export interface DueAlert extends DueDelivery, Alert {
  readonly settings: NotificationSettings;
}

/**
 * Decides what becomes of alerts that are due: quiet hours, a snooze and a removal postpone them, except what needs action. What its
 * user wants is decided when nothing postpones it any more: a choice that is changed and changed back drops nothing.
 */
export async function judgeAlerts<Due extends DueAlert>(
  parts: { name: string; services: ServiceClient; clock: Clock; logger: Logger },
  due: readonly Due[],
  isWanted: (alert: Due) => boolean,
): Promise<Prepared<Due, KnownCase>> {
  const nowMs = parts.clock.nowMs();
  const quietUntil = (alert: Due) => sendableAt(kindOf(alert.subject), alert.settings, nowMs);
  // That one is removed is kept as what it waits for: quiet hours must not take the place of that.
  const isQuiet = (alert: Due) => alert.restorableUntilMs === undefined && quietUntil(alert) > nowMs;
  const asked = due.filter((alert) => !isQuiet(alert));
  const cases = await findAlertedCases(parts, asked);
  const ready: { due: Due; message: KnownCase }[] = [];
  const postponed: Postponed<Due>[] = due
    .filter(isQuiet)
    .map((alert) => ({ due: alert, untilMs: quietUntil(alert) }));
  const dropped: { due: Due; reason: string }[] = [];
  for (const alert of asked) {
    const wait = cases.waitOf(alert, nowMs);
    if (wait.kind === 'removed') dropped.push({ due: alert, reason: 'removed' });
    else if (wait.kind === 'waits')
      postponed.push({ due: alert, untilMs: wait.untilMs, reason: wait.reason });
    else if (quietUntil(alert) > nowMs) postponed.push({ due: alert, untilMs: quietUntil(alert) });
    else if (isWanted(alert)) ready.push({ due: alert, message: cases.of(alert) ?? {} });
    else dropped.push({ due: alert, reason: 'opted-out' });
  }
  return { ready, postponed, dropped };
}
