import { startOfMonth } from '@casewatch/service-kit/runtime/clock';

/** How long the log is kept. */
export interface Retention {
  readonly payloadDays: number;
  readonly rowMonths: number;
}

const DAY_MS = 86_400_000;

/** The oldest call whose payload is still shown. */
export function payloadsSince(nowMs: number, { payloadDays }: Retention): number {
  return nowMs - payloadDays * DAY_MS;
}

/** The first month (UTC) whose calls are kept: those before are older than `rowMonths` to the last one. */
export function rowsSince(nowMs: number, { rowMonths }: Retention): number {
  return startOfMonth(nowMs, -rowMonths);
}

/** `yyyy-MM-dd`, UTC. */
export function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
