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

/** The beginning of a month (UTC), `ahead` months from that of `atMs`. */
export function startOfMonth(atMs: number, ahead = 0): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1);
}

/** `yyyy-MM-dd`, UTC. */
export function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
