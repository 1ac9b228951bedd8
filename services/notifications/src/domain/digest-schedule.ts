import type { NotificationSettings } from '@casewatch/contracts/notification-choices';
import { localTime } from './quiet-hours.ts';

/** Digests that are made, each for its users' changes since the one before. */
export const DIGEST_KINDS = ['daily', 'weekly'] as const;
export type DigestKind = (typeof DIGEST_KINDS)[number];

export interface DigestTime {
  readonly dueMs: number;
  /** The local date on which it is due: a user gets one digest of a kind per period. */
  readonly period: string;
}

type Timing = Pick<NotificationSettings, 'timeZone' | 'digestHour' | 'digestDay'>;

/** Returns the first digest that is due after `afterMs`, in the user's time zone. */
export function nextDigest(kind: DigestKind, afterMs: number, timing: Timing): DigestTime {
  const timeZone = timing.timeZone ?? 'UTC';
  const today = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(timeZone).toPlainDate();
  // Of this week: one that has passed is followed by that of the next.
  let date = kind === 'daily' ? today : today.add({ days: timing.digestDay - today.dayOfWeek });
  let dueMs = dueOn(date, timing.digestHour, timeZone);
  if (dueMs <= afterMs) {
    date = date.add({ days: kind === 'daily' ? 1 : 7 });
    dueMs = dueOn(date, timing.digestHour, timeZone);
  }
  return { dueMs, period: date.toString() };
}

/** Returns the digests that these settings ask for on a channel. */
export function digestsOf(
  settings: Pick<NotificationSettings, 'email' | 'push'>,
  channel: 'email' | 'push',
): DigestKind[] {
  const timings: readonly (string | undefined)[] = Object.values(settings[channel]);
  return DIGEST_KINDS.filter((kind) => timings.includes(kind));
}

/** Returns the moment of an hour of a local day. */
export function dueOn(date: Temporal.PlainDate, hour: number, timeZone: string): number {
  return localTime(date, new Temporal.PlainTime(hour), timeZone, 'earlier').epochMilliseconds;
}
