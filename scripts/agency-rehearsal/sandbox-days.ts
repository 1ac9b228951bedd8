import { timesInZone } from '@casewatch/service-kit/http/times-in-zone';

/** The agency's sandbox is open Monday to Friday, 7:00 to 20:00 Eastern time. The time changes on Sundays: each day has 13 hours. */
export const OPEN_MS = 13 * 3_600_000;
const DAY_MS = 86_400_000;
const eastern = timesInZone('America/New_York');

/** Returns `2026-01-05T10:00:00` in Eastern time. */
export const easternTime = (atMs: number) => eastern.write(atMs).slice(0, 19);

/** Returns when the sandbox opens on `2026-01-05`. At noon GMT it is morning there, in summer and winter. */
export function opensMs(day: string): number {
  const offset = eastern.write(`${day}T12:00:00Z`).slice(-6);
  return Date.parse(`${day}T07:00:00${offset}`);
}

/**
 * Returns the next days on which the sandbox is open. Today is the first while more than half of its hours are left: a
 * day that begins later would have too little traffic.
 */
export function nextOpenDays(count: number, nowMs: number): string[] {
  const days: string[] = [];
  let day = easternTime(nowMs).slice(0, 10);
  if (nowMs >= opensMs(day) + OPEN_MS / 2) day = dayAfter(day);
  for (; days.length < count; day = dayAfter(day)) if (!isWeekend(day)) days.push(day);
  return days;
}

/** Returns whether no closed day lies between the first and the last of these days. */
export function areConsecutive(days: readonly string[]): boolean {
  return days.every((day, index) => index === 0 || day === dayAfter(days[index - 1] ?? ''));
}

const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
const isWeekend = (day: string) => [0, 6].includes(new Date(day).getUTCDay());
