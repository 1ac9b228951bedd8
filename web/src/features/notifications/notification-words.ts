import type { Notification, PlanNotification, StatusNotification } from '@casewatch/contracts/notifications';
import { type PlanWords, planWords } from '@casewatch/contracts/plan-words';
import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';
import { formatDay } from '../../lib/format-moment.ts';

/** What changed: `old → new`, or the new status alone when no old one is known. */
export function changeText({
  oldStatus,
  newStatus,
}: Pick<StatusNotification, 'oldStatus' | 'newStatus'>): string {
  return oldStatus ? `${oldStatus} → ${newStatus}` : `New status: ${newStatus}`;
}

/** What happened to the plan, and where the user acts on it. */
export function planText(notification: PlanNotification): PlanWords {
  return planWords(notification, formatDay(notification.effectiveAt));
}

/** The page that a notification leads to. */
export function pathOf(notification: Notification): string {
  return notification.kind === 'plan'
    ? planText(notification).action.path
    : `/cases/${notification.receiptNumber}`;
}

/** What a screen reader says of a notification that has just come. */
export function announcementOf(notification: Notification): string {
  return notification.kind === 'plan'
    ? planText(notification).title
    : `Case ${notification.receiptNumber}: ${notification.newStatus}`;
}

/** When it came, as `Sep 5, 2:28 PM` in the reader's time zone; 'Invalid date' for a bad moment. */
export function timeText(createdAt: string): string {
  const date = parseISO(createdAt);
  return isValid(date) ? format(date, 'MMM d, h:mm a') : 'Invalid date';
}

/** The number on the bell, short enough for it; undefined when there is nothing unread. */
export function badgeText(unread: number): string | undefined {
  if (unread === 0) return undefined;
  return unread > 99 ? '99+' : String(unread);
}
