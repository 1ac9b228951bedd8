import type { Notification } from '@casewatch/contracts/notifications';
import { format } from 'date-fns/format';
import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';

/** What changed: `old → new`, or the new status alone when no old one is known. */
export function changeText({ oldStatus, newStatus }: Pick<Notification, 'oldStatus' | 'newStatus'>): string {
  return oldStatus ? `${oldStatus} → ${newStatus}` : `New status: ${newStatus}`;
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
