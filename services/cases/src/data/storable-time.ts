/** The times that both ISO 8601 as JavaScript writes it and PostgreSQL know: the years 1 to 9999. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns a time of a request as PostgreSQL reads it: in UTC, clamped to those years. It knows no year 0 and no offset beyond 16 hours. */
export function storableTime(text: string): string {
  return new Date(Math.min(Math.max(Date.parse(text), EARLIEST_MS), LATEST_MS)).toISOString();
}
