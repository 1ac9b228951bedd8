import { SAME_ANSWER_DAYS } from '@casewatch/contracts/limits';
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

/**
 * From when to when the payloads of calls of that time may be: checks that got the same answer again name an earlier call. A day more
 * either way, for clocks that differ.
 */
export function answersOf(fromMs: number, toMs: number): [Date, Date] {
  return [new Date(fromMs - (SAME_ANSWER_DAYS + 1) * DAY_MS), new Date(toMs + DAY_MS)];
}

/** The first month (UTC) whose calls are kept: those before are older than `rowMonths` to the last one. */
export function rowsSince(nowMs: number, { rowMonths }: Retention): number {
  return startOfMonth(nowMs, -rowMonths);
}

/** `yyyy-MM-dd`, UTC. */
export function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
