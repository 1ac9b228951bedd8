import type { EventDoc } from './documents.ts';
import { newId } from './ids.ts';
import type { MovedClock } from './moved-clock.ts';

/** The API version whose shapes this server writes: the one that the current SDK pins. */
export const API_VERSION = '2026-10-28.endive';
/** Stripe keeps events for 30 days; here the newest are kept. */
const EVENTS_KEPT = 5_000;

export interface EventCause {
  id: string | null;
  idempotency_key: string | null;
}

export interface EventLog {
  /** Adds an event with a copy of the document as it is now, and hands it to the listener. */
  emit(type: string, document: object, previous?: Record<string, unknown>): void;
  /** Events that arise while `run` runs name this request as their cause. */
  causedBy<T>(cause: EventCause, run: () => T): T;
  /** One listener: the webhook sender. */
  onEvent(listener: (event: EventDoc) => void): void;
}

const NO_CAUSE: EventCause = { id: null, idempotency_key: null };

export function createEventLog(events: Map<string, EventDoc>, clock: MovedClock): EventLog {
  let cause = NO_CAUSE;
  let listener: (event: EventDoc) => void = () => undefined;
  return {
    emit: (type, document, previous) => {
      const event: EventDoc = {
        id: newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: clock.nowSeconds(),
        data: {
          object: structuredClone(document),
          ...(previous === undefined ? {} : { previous_attributes: structuredClone(previous) }),
        },
        livemode: false,
        pending_webhooks: 1,
        request: { ...cause },
        type,
      };
      events.set(event.id, event);
      for (const oldest of events.keys()) {
        if (events.size <= EVENTS_KEPT) break;
        events.delete(oldest);
      }
      listener(event);
    },
    causedBy: (given, run) => {
      const before = cause;
      cause = given;
      try {
        return run();
      } finally {
        cause = before;
      }
    },
    onEvent: (given) => {
      listener = given;
    },
  };
}
