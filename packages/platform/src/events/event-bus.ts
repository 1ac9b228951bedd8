import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { SqlExecutor } from '../db/sql-executor.ts';

/** The event bus is a port: services publish in their own transaction and subscribe with one handler per event. */

/** An event type. `Payload` is the plain JSON shape of its message in `proto/casewatch/events/v1/`. */
export interface EventType<Payload> {
  /** Topic and event name in kebab-case: `user-deleted`. */
  readonly name: string;
  /** CloudEvents type: `casewatch.events.v1.UserDeleted`. */
  readonly type: string;
  /** What order is kept for: a user id or a receipt number. */
  key(payload: Payload): string;
  /** Parses what came over the wire. @throws when it does not fit: the event is then poison. */
  decode(json: unknown): Payload;
  /** To ProtoJSON. */
  encode(payload: Payload): unknown;
}

export interface EventMeta {
  /** CloudEvents id, unique per event: what the inbox remembers. */
  readonly id: string;
  readonly timeMs: number;
  readonly traceparent: string | undefined;
}

/** One consumer group's handler of one event type; `defineHandler` keeps its payload typed. */
export interface EventHandler {
  readonly event: EventType<never>;
  /** The consumer group: the name of the consuming service. */
  readonly group: ServiceName;
  /** Runs inside the transaction that also marks the event as handled: its effect happens once or not at all. */
  readonly handle: (json: unknown, meta: EventMeta, tx: SqlExecutor) => Promise<void>;
}

export interface EventBus {
  /**
   * Writes the event to the outbox within `tx`: it is published if and only if the transaction commits,
   * after that at least once, in order per key.
   */
  publish<Payload>(tx: SqlExecutor, event: EventType<Payload>, payload: Payload): Promise<void>;
}

export function defineHandler<Payload>(
  group: ServiceName,
  event: EventType<Payload>,
  handle: (payload: Payload, meta: EventMeta, tx: SqlExecutor) => Promise<void>,
): EventHandler {
  return {
    event: event as EventType<never>,
    group,
    handle: (json, meta, tx) => handle(event.decode(json), meta, tx),
  };
}
