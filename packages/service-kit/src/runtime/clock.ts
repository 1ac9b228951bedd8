/** The only source of time in services, so that tests move it instead of sleeping. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Resolves after `ms` of this clock's time; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Tests move the database's time with this; see `databaseTimeMs`. */
  readonly databaseNowMs?: () => number;
}

/** Ends a sleep that is not needed any more. Made once: an error of its own for each would cost more than the timer. */
export const WOKEN = new Error('woken');

/** Returns the beginning of a month (UTC), `ahead` months from that of `atMs`. */
export function startOfMonth(atMs: number, ahead = 0): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1);
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};
