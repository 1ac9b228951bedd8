import { type EventDoc, newId } from './documents.ts';

/** The API version whose shapes this server writes: the one that the SDK pins. */
export const API_VERSION = '2026-10-28.endive';
const EVENTS_KEPT = 5_000;

export type EventLog = ReturnType<typeof createEventLog>;

const NO_CAUSE: EventDoc['request'] = { id: null, idempotency_key: null };

/** Keeps the newest 5,000 events in `events`. */
export function createEventLog(events: Map<string, EventDoc>, clock: { nowSeconds(): number }) {
  let cause = NO_CAUSE;
  let listener: (event: EventDoc) => void = () => undefined;
  return {
    /** Adds an event with a copy of the document as it is now, and passes it to the listener. */
    emit: (type: string, document: object, previous?: Record<string, unknown>) => {
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
    /** Events emitted while `run` runs name this request as their cause. */
    causedBy: <T>(given: EventDoc['request'], run: () => T): T => {
      cause = given;
      try {
        return run();
      } finally {
        cause = NO_CAUSE;
      }
    },
    /** Sets the only listener: the webhook sender. */
    onEvent: (given: (event: EventDoc) => void) => {
      listener = given;
    },
  };
}

/** Writes the values into the document and emits an event that names the replaced ones; nothing when all are the same. */
export function updateDocument<T extends object>(
  { events }: { events: EventLog },
  type: string,
  document: T,
  values: Partial<T>,
): void {
  const previous: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const before: unknown = Reflect.get(document, name);
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    previous[name] = before ?? null;
    Reflect.set(document, name, value);
  }
  if (Object.keys(previous).length > 0) events.emit(type, document, previous);
}
