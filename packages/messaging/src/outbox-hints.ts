import type { ServiceName } from '@casewatch/contracts/route-contract';

/**
 * Connects publishers to the relays of the same process, without the database: an event has been published in a transaction
 * that has committed, or, where the transaction does not say when, is expected to soon. A hint saves time; a relay that gets
 * none polls.
 */
export interface OutboxHints {
  publishing(service: ServiceName): void;
  /** Calls the listener at every hint until the returned function is called. */
  listen(service: ServiceName, listener: () => void): () => void;
}

export function createOutboxHints(): OutboxHints {
  const listeners = new Map<ServiceName, Set<() => void>>();
  return {
    publishing(service) {
      for (const listener of listeners.get(service) ?? []) listener();
    },
    listen(service, listener) {
      const ofService = listeners.get(service) ?? new Set();
      listeners.set(service, ofService.add(listener));
      return () => ofService.delete(listener);
    },
  };
}
