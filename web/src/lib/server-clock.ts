/** A smaller difference is the way of the answer and the whole seconds of the header. */
const TOLERANCE_MS = 60_000;

let offsetMs = 0;

/** Takes note of the server's time: the `Date` header of an answer that has just come. */
export function noteServerTime(date: string | null): void {
  const differenceMs = Date.parse(date ?? '') - Date.now();
  if (!Number.isNaN(differenceMs)) offsetMs = Math.abs(differenceMs) < TOLERANCE_MS ? 0 : differenceMs;
}

/** Returns what the server's clock says, as far as is known: that of the device may be a day off. */
export const serverNowMs = (): number => byServerClock(Date.now());

/** Returns what the server's clock said when that of this device said `atMs`. */
export const byServerClock = (atMs: number): number => atMs + offsetMs;
