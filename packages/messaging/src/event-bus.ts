import type { EventType } from '@casewatch/contracts/event-type';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Logger } from '@casewatch/service-kit/runtime/logger';

/** The event bus is a port: services publish in their own transaction and subscribe with one handler per event. */
export type { EventType } from '@casewatch/contracts/event-type';

export interface EventMeta {
  /** CloudEvents id, unique per event: the inbox's key. */
  readonly id: string;
  /** When it was published. */
  readonly timeMs: number;
  readonly traceparent: string | undefined;
}

/** A received event, not yet parsed. */
export interface ReceivedEvent {
  readonly json: unknown;
  readonly meta: EventMeta;
}

/** One consumer group's handler of one event type; `defineHandler` keeps its payload typed. */
export interface EventHandler {
  readonly event: EventType<never>;
  /** The consumer group: the name of the consuming service. */
  readonly group: ServiceName;
  /** Runs inside the transaction that also marks the event as handled: its effect happens once or not at all. */
  readonly handle: (json: unknown, meta: EventMeta, tx: SqlExecutor) => Promise<void>;
  /**
   * Present when the handler takes a batch, in one transaction for all. When it throws, the events are
   * handed to `handle` one by one, so that a malformed one fails alone.
   */
  readonly handleBatch?: (events: readonly ReceivedEvent[], tx: SqlExecutor) => Promise<void>;
  /**
   * Called at least once for each event after the commit of its effect: again when it is delivered again, since a process may end
   * between the two. What it signals has to be recoverable: a failure is logged and not retried.
   */
  readonly committed?: (events: readonly ReceivedEvent[]) => void;
}

export interface EventBus {
  /**
   * Writes the event to the outbox within `tx`: it is published if and only if the transaction commits,
   * after that at least once, in order per key. Until `tx` ends, other transactions that publish an event of the
   * same type and key wait for it.
   */
  publish<Payload>(tx: SqlExecutor, event: EventType<Payload>, payload: Payload): Promise<void>;
  /** The same for many events of one type, in one statement. */
  publishAll<Payload>(
    tx: SqlExecutor,
    event: EventType<Payload>,
    payloads: readonly Payload[],
  ): Promise<void>;
}

/** Notifies the handler that the effects of these events are committed. A failure is logged: the effects stand. */
export function signalCommit(
  { event, committed }: EventHandler,
  events: readonly ReceivedEvent[],
  logger: Logger,
): void {
  try {
    committed?.(events);
  } catch (error) {
    logger.warn(
      { err: error, topic: event.name },
      'event consumer: signal after the commit failed, going on',
    );
  }
}

export function defineHandler<Payload>(
  group: ServiceName,
  event: EventType<Payload>,
  handle: (payload: Payload, meta: EventMeta, tx: SqlExecutor) => Promise<void>,
  committed?: (payloads: readonly Payload[]) => void,
): EventHandler {
  return {
    event: event as EventType<never>,
    group,
    handle: (json, meta, tx) => handle(event.decode(json), meta, tx),
    ...afterCommit(event, committed),
  };
}

/** A handler that takes many events at once: for the paths where one statement per event costs too much. */
export function defineBatchHandler<Payload>(
  group: ServiceName,
  event: EventType<Payload>,
  handle: (
    events: readonly { readonly payload: Payload; readonly meta: EventMeta }[],
    tx: SqlExecutor,
  ) => Promise<void>,
  committed?: (payloads: readonly Payload[]) => void,
): EventHandler {
  return {
    event: event as EventType<never>,
    group,
    ...afterCommit(event, committed),
    handle: (json, meta, tx) => handle([{ payload: event.decode(json), meta }], tx),
    handleBatch: (events, tx) =>
      handle(
        events.map(({ json, meta }) => ({ payload: event.decode(json), meta })),
        tx,
      ),
  };
}

function afterCommit<Payload>(
  event: EventType<Payload>,
  committed: ((payloads: readonly Payload[]) => void) | undefined,
): Pick<EventHandler, 'committed'> {
  if (!committed) return {};
  return { committed: (events) => committed(events.map(({ json }) => event.decode(json))) };
}
