import type { PassReport } from './check-due-watches.ts';

/** The longest wait: another attempt costs little, and a quota may be raised. */
export const MAX_WAIT_MS = 60_000;
const FIRST_ERROR_WAIT_MS = 1_000;
/** When cases holds checks back without saying for how long. */
const DEFAULT_WAIT_MS = 1_000;

/**
 * Adapts how much to claim next, and how long to wait before, to what the agency accepts: the next claim is little more
 * than what was checked; it doubles while no check is held back. Only when nothing gets through does it wait.
 */
export function createClaimBackoff({ batch, pollMs }: { batch: number; pollMs: number }) {
  let size = batch;
  let errors = 0;

  return {
    size: () => size,

    /** The milliseconds to wait after a pass that claimed up to `limit`. */
    waitAfter({ claimed, heldBack, retryAfterMs, error }: PassReport, limit: number): number {
      if (error !== undefined) return this.waitAfterError();
      errors = 0;
      if (heldBack > 0) {
        const through = claimed - heldBack;
        size = Math.min(batch, through + Math.max(1, Math.ceil(through / 4)));
        // Their turns took the time that the others were to wait: without new ones waiting, the next permit would go unused.
        if (through > 0) return 0;
        return Math.min(retryAfterMs || DEFAULT_WAIT_MS, MAX_WAIT_MS);
      }
      if (claimed > 0) size = Math.min(batch, size * 2);
      return claimed < limit ? pollMs : 0;
    },

    /** The milliseconds to wait after a failed pass: doubles from one second to a minute. */
    waitAfterError(): number {
      return Math.min(FIRST_ERROR_WAIT_MS * 2 ** errors++, MAX_WAIT_MS);
    },
  };
}
