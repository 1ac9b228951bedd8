import type { PassReport } from './check-due-watches.ts';

/** Asking again costs little, and a quota may be raised: nobody sleeps longer than this. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_ERROR_WAIT_MS = 1_000;
/** When cases holds checks back without saying for how long. */
const DEFAULT_WAIT_MS = 1_000;

/**
 * How much to claim next and how long to wait before: as much as gets through. What is held back was claimed in
 * vain, so the next claim is little more than what got through; it doubles while nothing is held back.
 */
export function createPace({ batch, pollMs }: { batch: number; pollMs: number }) {
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
        return Math.min(retryAfterMs || DEFAULT_WAIT_MS, LONGEST_WAIT_MS);
      }
      if (claimed > 0) size = Math.min(batch, size * 2);
      return claimed < limit ? pollMs : 0;
    },

    /** The same after a pass that could not be made: doubles from one second to a minute. */
    waitAfterError(): number {
      return Math.min(FIRST_ERROR_WAIT_MS * 2 ** errors++, LONGEST_WAIT_MS);
    },
  };
}
export type Pace = ReturnType<typeof createPace>;
