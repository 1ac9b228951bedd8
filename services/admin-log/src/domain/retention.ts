import { startOfMonth } from '@casewatch/service-kit/runtime/clock';

/** How long the log is kept. */
export interface Retention {
  readonly payloadDays: number;
  readonly rowMonths: number;
}

const DAY_MS = 86_400_000;

/** Returns the oldest call whose payload is still shown. */
export function payloadsSince(nowMs: number, { payloadDays }: Retention): number {
  return nowMs - payloadDays * DAY_MS;
}

/**
 * Returns the first day of payloads that a lookup may still show, by when they were last seen. Two days: one because days are compared, one for
 * clocks that differ.
 */
export function payloadsSeenSince(nowMs: number, retention: Retention): string {
  return dateOf(payloadsSince(nowMs, retention) - 2 * DAY_MS);
}

/** Returns the first month (UTC) whose calls are kept: those before are older than `rowMonths` to the last one. */
export function rowsSince(nowMs: number, { rowMonths }: Retention): number {
  return startOfMonth(nowMs, -rowMonths);
}

/** Returns the day as `yyyy-MM-dd`, UTC. */
export function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
