/** The times that both ISO 8601 as we read it and PostgreSQL can write: the years 1 to 9999. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A time that was asked for; beyond the years we know, the nearest one within. */
export function parseTime(text: string): number {
  return Math.min(Math.max(Date.parse(text), EARLIEST_MS), LATEST_MS);
}

export function isKnownTime(ms: number): boolean {
  return ms >= EARLIEST_MS && ms <= LATEST_MS;
}
