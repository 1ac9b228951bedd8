import { formatTime } from '../../../lib/format-moment.ts';
import { grouped } from '../shared/admin-words.ts';

/** Returns the time of day at which an hour of the chart begins: `2:00 PM`; empty when there is none. */
export function hourOf(moment: string | undefined): string {
  const atMs = Date.parse(moment ?? '');
  return Number.isNaN(atMs) ? '' : formatTime(atMs);
}

export function milliseconds(value: number | null): string {
  return value === null ? '-' : `${grouped(value)} ms`;
}

/** Returns a part of a whole: `12.5 %`; `0 %` of nothing. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return '0 %';
  return `${Math.round((part / whole) * 1000) / 10} %`;
}
