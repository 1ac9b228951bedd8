import type { Logger } from './logger.ts';

const WARN_EVERY_MS = 10_000;

export interface OutageLogOptions {
  /** Logged when an outage begins. */
  outage: string;
  /** Logged when it ends. */
  recovery: string;
  /** Logs the outage again when its reason changes; otherwise only its first reason. */
  everyReason?: boolean;
}

/** Logs an outage once, with its reason, and its recovery once. */
export function createOutageLog(logger: Logger, options: OutageLogOptions) {
  let logged: string | undefined;

  return {
    failed(error: unknown): void {
      const reason = options.everyReason ? String(error) : '';
      logger[logged === reason ? 'debug' : 'warn']({ err: error }, options.outage);
      logged = reason;
    },
    recovered(): void {
      if (logged !== undefined) logger.info(options.recovery);
      logged = undefined;
    },
  };
}

/** Logs a warning with its error at most once every ten seconds; `suppressed` counts those left out since the last one. */
export function createThrottledWarning(logger: Logger, message: string): (error: unknown) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let suppressed = 0;
  return (error) => {
    if (performance.now() - lastMs < WARN_EVERY_MS) {
      suppressed += 1;
      return;
    }
    logger.warn({ err: error, suppressed }, message);
    lastMs = performance.now();
    suppressed = 0;
  };
}
