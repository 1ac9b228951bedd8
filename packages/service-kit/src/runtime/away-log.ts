import type { Logger } from '../runtime/logger.ts';

const EVERY_MS = 10_000;

/** Says what a store's absence means, with its reason, and not for each of the thousand times that it happens. */
export function createAwayLog(logger: Logger, consequence: string): (error: unknown) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return (error) => {
    if (performance.now() - lastMs < EVERY_MS) {
      unsaid += 1;
      return;
    }
    logger.warn({ err: error, before: unsaid }, consequence);
    lastMs = performance.now();
    unsaid = 0;
  };
}
