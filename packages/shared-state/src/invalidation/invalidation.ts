/** What has changed: one session, by the hash that it is remembered under, or all of a user's. */
export interface Stale {
  sessionKey?: string | undefined;
  userId?: string | undefined;
}

export interface InvalidationListener {
  onStale(what: Stale): void;
  /** News may have been missed: everything that is remembered may be stale. */
  onGap(): void;
}

/**
 * Tells every process that remembers sessions, this one included, to forget some. News is not kept: who does not hear
 * it when it is told never does.
 */
export interface Invalidation {
  /** Does not wait for anybody; what can't be told is logged. */
  tell(what: Stale): void;
  listen(listener: InvalidationListener): void;
  /** False while news may be missed: nothing should be remembered then. */
  hears(): boolean;
}

/** For one process. */
export function createMemoryInvalidation(): Invalidation {
  const listeners: InvalidationListener[] = [];
  return {
    tell: (what) => {
      for (const listener of listeners) listener.onStale(what);
    },
    listen: (listener) => {
      listeners.push(listener);
    },
    hears: () => true,
  };
}
