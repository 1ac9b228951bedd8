export const TOOLTIP_DELAY_MS = 700;
/** After one tooltip closes, the next one opens without delay for this long. */
export const TOOLTIP_SKIP_DELAY_MS = 300;

/** Returns how long a tooltip waits before it opens. Times are of one clock; `lastClosedAtMs` is null before the first. */
export function openingDelayMs(delayMs: number, nowMs: number, lastClosedAtMs: number | null): number {
  if (lastClosedAtMs !== null && nowMs - lastClosedAtMs < TOOLTIP_SKIP_DELAY_MS) return 0;
  return delayMs;
}
