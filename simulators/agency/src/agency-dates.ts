/** The agency writes and lives in Eastern time. */
const EASTERN = 'America/New_York';

const numeric = new Intl.DateTimeFormat('en-US', {
  timeZone: EASTERN,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const isoDay = new Intl.DateTimeFormat('en-CA', {
  timeZone: EASTERN,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
const longEnglish = new Intl.DateTimeFormat('en-US', { timeZone: EASTERN, dateStyle: 'long' });
const longSpanish = new Intl.DateTimeFormat('es-US', { timeZone: EASTERN, dateStyle: 'long' });
const weekdayAndHour = new Intl.DateTimeFormat('en-US', {
  timeZone: EASTERN,
  hourCycle: 'h23',
  weekday: 'short',
  hour: '2-digit',
});

/** Returns `MM-dd-yyyy HH:mm:ss`, as in submittedDate and modifiedDate. */
export function agencyTimestamp(ms: number): string {
  return numeric.format(ms).replaceAll('/', '-').replace(',', '');
}

/** Returns `yyyy-MM-dd`, as in the history. */
export function agencyDay(ms: number): string {
  return isoDay.format(ms);
}

/** Returns `September 5, 2023` or `5 de septiembre de 2023`. */
export function longDate(ms: number): { en: string; es: string } {
  return { en: longEnglish.format(ms), es: longSpanish.format(ms) };
}

/** Returns noon in the east on `yyyy-MM-dd` (an hour later in summer): always that day in the agency's zone. */
export function noonOf(day: string): number {
  return Date.parse(`${day}T17:00:00Z`);
}

const OPENS_AT_HOUR = 7;
const CLOSES_AT_HOUR = 20;

/** Returns whether the sandbox is open: Monday to Friday, 7:00 to 20:00 Eastern time. */
export function isSandboxOpen(ms: number): boolean {
  const parts = weekdayAndHour.formatToParts(ms);
  const weekday = parts.find(({ type }) => type === 'weekday')?.value;
  const hour = Number(parts.find(({ type }) => type === 'hour')?.value);
  return weekday !== 'Sat' && weekday !== 'Sun' && hour >= OPENS_AT_HOUR && hour < CLOSES_AT_HOUR;
}
