const MINUTE_MS = 60_000;
const FIELD = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Returns a moment (ISO 8601) as a `datetime-local` field shows it, in the reader's time zone; empty for anything else. */
export function toLocalField(moment: string | undefined): string {
  const date = new Date(FIELD.test(moment ?? '') ? (moment ?? '') : Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  // Written as UTC, the shifted moment has the digits of the reader's clock.
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** Returns what a `datetime-local` field holds, as a moment in UTC (ISO 8601); undefined when it holds none. */
export function fromLocalField(text: string): string | undefined {
  // Without a time zone it is the reader's.
  const date = new Date(FIELD.test(text) ? text.slice(0, 16) : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
