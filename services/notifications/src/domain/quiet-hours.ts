import type { QuietHours } from '@casewatch/contracts/notification-choices';

/**
 * Returns when a message may be sent: at once, or at the end of the quiet hours in progress. `atMs` and the answer in
 * milliseconds since the epoch. An end that the clocks skip is the moment at which they do; of one that comes twice, the
 * first that is ahead counts.
 */
export function afterQuietHours(atMs: number, quiet: QuietHours | null, timeZone: string | null): number {
  if (!quiet) return atMs;
  const now = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone ?? 'UTC');
  const time = now.toPlainTime();
  const [from, until] = [Temporal.PlainTime.from(quiet.from), Temporal.PlainTime.from(quiet.until)];
  const hasBegun = Temporal.PlainTime.compare(time, from) >= 0;
  const hasEnded = Temporal.PlainTime.compare(time, until) >= 0;
  const isOvernight = Temporal.PlainTime.compare(from, until) > 0;
  if (isOvernight ? !hasBegun && hasEnded : !hasBegun || hasEnded) return atMs;
  const today = now.toPlainDate();
  const ends = [today, today.add({ days: 1 })].flatMap((date) =>
    (['earlier', 'later'] as const).map(
      (ofTwo) => localTime(date, until, now.timeZoneId, ofTwo).epochMilliseconds,
    ),
  );
  const ahead = Math.min(...ends.filter((end) => end > atMs));
  // Where the clocks skip both the end and the next beginning, they continue.
  return afterQuietHours(ahead, quiet, timeZone);
}

/** Returns whether times can be computed in this time zone: `Intl` accepts names that `Temporal` refuses, such as PST. */
export function isTimeZone(name: string | null): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name ?? 'UTC');
    return true;
  } catch {
    return false;
  }
}

/** Returns the moment of a local time; where the clocks skip it, the moment at which they do. */
export function localTime(
  date: Temporal.PlainDate,
  time: Temporal.PlainTime,
  timeZone: string,
  ofTwo: 'earlier' | 'later',
): Temporal.ZonedDateTime {
  const local = date.toPlainDateTime(time);
  const found = local.toZonedDateTime(timeZone, { disambiguation: ofTwo });
  if (found.toPlainDateTime().equals(local)) return found;
  // Of a time that the clocks skip, the default is the later moment.
  const after = local.toZonedDateTime(timeZone);
  // Of a transition itself, `previous` is the one before it.
  return after.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') ?? after;
}
