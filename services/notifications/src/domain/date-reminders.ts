import { createHash } from 'node:crypto';
import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import { listOpenDates, type OpenDate } from '@casewatch/contracts/saved-case-dates';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { uuidV7Floor } from '@casewatch/service-kit/database/uuid-v7';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import { dueOn } from './digest-schedule.ts';
import type { Notifying, NotifyUsers } from './notify-users.ts';
import { afterQuietHours, localTime } from './quiet-hours.ts';
import type { SettingsStore } from './store.ts';

/** Days before a date on which its user is reminded, the last reminder first. */
const REMINDERS = [0, 1, 3, 7, 14, 30] as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Timing = Pick<NotificationSettings, 'timeZone' | 'digestHour'> &
  Partial<Pick<NotificationSettings, 'quietHours'>>;

/**
 * Returns how many days before the date the newest reminder is that is due, undefined for none. Each is due at the user's hour of its
 * local day. One that was missed is made up for until the next one is due, the last one for a day; not one of before the
 * date was entered. The one of the day itself comes before quiet hours that would hold it until the day is over.
 */
export function dueReminder(
  { day, setAt }: Pick<OpenDate, 'day' | 'setAt'>,
  { timeZone, digestHour, quietHours = null }: Timing,
  nowMs: number,
): number | undefined {
  const date = Temporal.PlainDate.from(day);
  const zone = timeZone ?? 'UTC';
  const momentOf = (daysBefore: number) => {
    const ms = dueOn(date.subtract({ days: daysBefore }), digestHour, zone);
    if (daysBefore !== 0 || !quietHours) return ms;
    const dayEndsMs = date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
    if (afterQuietHours(ms, quietHours, timeZone) < dayEndsMs) return ms;
    const from = Temporal.PlainTime.from(quietHours.from);
    return localTime(date, from, zone, 'earlier').epochMilliseconds - HOUR_MS;
  };
  if (nowMs >= momentOf(-1)) return undefined;
  const newest = REMINDERS.find((daysBefore) => momentOf(daysBefore) <= nowMs);
  if (newest === undefined || momentOf(newest) < Date.parse(setAt)) return undefined;
  return newest;
}

/**
 * Returns the id of the notification of one reminder: the same whenever and wherever it is made, so that it comes once. As of an event its
 * beginning is a time, by which old notifications are removed.
 */
export function reminderId({ userId, receiptNumber, id, day }: OpenDate, daysBefore: number): string {
  const timeMs = Date.parse(`${day}T00:00:00Z`) - daysBefore * DAY_MS;
  const hash = createHash('sha256')
    .update([userId, receiptNumber, id, day, daysBefore].join(' '))
    .digest('hex');
  return `${uuidV7Floor(timeMs).slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

/** Of who has chosen none: a morning all over the country of the agency, where that hour of UTC is in the night. */
const USUAL_ZONE = 'America/Chicago';

export interface ReminderParts {
  services: ServiceClient;
  settings: Pick<SettingsStore, 'readAll'>;
  notifyUsers: Pick<NotifyUsers, 'remind' | 'committed'>;
  inTransaction<T>(work: (tx: SqlExecutor) => Promise<T>): Promise<T>;
}

/**
 * Reminds of all open dates whose reminders are due, page by page, each page in one transaction. Whatever interrupts it, the next pass reminds of what
 * is missing, and of nothing twice.
 */
export async function remindOfDates(
  { services, settings, notifyUsers, inTransaction }: ReminderParts,
  nowMs: number,
  stopping: AbortSignal,
): Promise<void> {
  // Local days are up to a day from that of UTC.
  const span = { from: dayAt(nowMs - 2 * DAY_MS), until: dayAt(nowMs + 32 * DAY_MS) };
  let after: { lastDay: string; id: string } | null | undefined;
  do {
    const { dates, next } = await services.call(listOpenDates, {
      body: { ...span, ...(after ? { after } : {}) },
    });
    const settingsOf = await settings.readAll([...new Set(dates.map(({ userId }) => userId))]);
    const due = dates.flatMap((date): Notifying[] => {
      const settings = settingsOf(date.userId);
      const timing = { ...settings, timeZone: settings.timeZone ?? USUAL_ZONE };
      const daysBefore = dueReminder(date, timing, nowMs);
      if (daysBefore === undefined) return [];
      const { userId, receiptNumber, id: dateId, kind: dateKind, day, label } = date;
      const eventId = reminderId(date, daysBefore);
      return [{ eventId, userId, receiptNumber, dateId, dateKind, day, label }];
    });
    if (due.length > 0) {
      const reminded = await inTransaction((tx) => notifyUsers.remind(due, nowMs, tx));
      if (reminded.length > 0) notifyUsers.committed(reminded.map((userId) => ({ userId })));
    }
    after = next;
  } while (after && !stopping.aborted);
}

const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);
