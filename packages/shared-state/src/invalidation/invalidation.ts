/** Which cached sessions are stale: one, by the hash that it is cached under, or all of a user's. */
export interface Stale {
  sessionKey?: string | undefined;
  userId?: string | undefined;
}

export interface InvalidationListener {
  onStale(what: Stale): void;
  /** Messages may have been missed: every cached session may be stale. */
  onGap(): void;
}

/**
 * Session invalidation: makes every process that caches sessions, this one included, drop some of them. Delivery is at
 * most once: a subscriber that is disconnected misses the message.
 */
export interface Invalidation {
  /** Publishes without waiting; a failure is logged. */
  publish(what: Stale): void;
  subscribe(listener: InvalidationListener): void;
  /** False while messages may be missed: nothing should be cached then. */
  isSubscribed(): boolean;
}

/** Creates session invalidation within one process. */
export function createMemoryInvalidation(): Invalidation {
  const listeners: InvalidationListener[] = [];
  return {
    publish: (what) => {
      for (const listener of listeners) listener.onStale(what);
    },
    subscribe: (listener) => {
      listeners.push(listener);
    },
    isSubscribed: () => true,
  };
}
