import type { Notification, PlanNotification, StatusNotification } from '@casewatch/contracts/notifications';
import { type PlanWords, planWords } from '@casewatch/contracts/plan-words';
import { type AgencySpanish, statusName } from '@casewatch/contracts/status-names';
import { t } from '@lingui/core/macro';
import { shownStatus } from '../../components/status-badge.tsx';
import { dateText } from '../../lib/case-date-words.ts';
import { formatDay } from '../../lib/format-moment.ts';
import { languageShown } from '../../lib/format-number.ts';

/** Returns what changed: `old → new`, or the new status alone when no old one is known; `own`: the agency's Spanish for one of them. */
export function changeText(
  { oldStatus, newStatus }: Pick<StatusNotification, 'oldStatus' | 'newStatus'>,
  own?: AgencySpanish,
): string {
  const nameOf = (status: string) => statusName(status, languageShown(), own);
  const name = nameOf(newStatus);
  return oldStatus ? `${nameOf(oldStatus)} → ${name}` : t`New status: ${name}`;
}

/** Returns what happened to the plan, and where the user acts on it. */
export function planText(notification: PlanNotification): PlanWords {
  return planWords(notification, formatDay(notification.effectiveAt), languageShown());
}

/** Returns the page that a notification leads to. */
export function pathOf(notification: Notification): string {
  return notification.kind === 'plan'
    ? planText(notification).action.path
    : `/cases/${notification.receiptNumber}`;
}

/** Returns what a screen reader says of a notification that has just come. */
export function announcementOf(notification: Notification): string {
  if (notification.kind === 'plan') return planText(notification).title;
  const name =
    notification.kind === 'date'
      ? dateText(notification.dateKind, notification.day)
      : shownStatus({ status: notification.newStatus }).text;
  return t`Case ${notification.receiptNumber}: ${name}`;
}

/** Returns the number on the bell, short enough for it; undefined when there is nothing unread. */
export function badgeText(unread: number): string | undefined {
  if (unread === 0) return undefined;
  return unread > 99 ? '99+' : String(unread);
}
