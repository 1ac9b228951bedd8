import type { EventType } from '@casewatch/contracts/event-type';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Logger } from '@casewatch/service-kit/runtime/logger';

/**
 * The event bus is a port: services publish in their own transaction and subscribe with one handler per event. The path of an event:
 * 1. Outbox: the publisher inserts it in the transaction that causes it (`outbox-publisher.ts`).
 * 2. Relay: one active relay per outbox polls it and dispatches in order per topic and key (`outbox-relay.ts`).
 * 3. Transport: to the consumer groups of the same process (`in-process-bus.ts`), or through Kafka (`kafka/kafka-bus.ts`). The outbox
 *    row is done when all groups, or the brokers, have it. Delivery is at least once.
 * 4. Inbox: a group claims the event's id in the transaction of its handler's effect, which thereby happens once
 *    (`group-consumer.ts`, `inbox.ts`). Transient errors are retried without limit.
 * 5. Dead letter: an event that fails five times is stored with its error, and its key continues (`dead-letters.ts`); an operator
 *    has it redriven after the fix (`redrive.ts`).
 */
export type { EventType } from '@casewatch/contracts/event-type';

/** Numbered SQL files of the tables that every service's schema holds: outbox, inbox, dead letters. */
export const EVENT_MIGRATIONS = new URL('../migrations/', import.meta.url);

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
   * passed to `handle` one by one, so that a malformed one fails alone.
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
      'event consumer: signal after the commit failed, the effects stand',
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
    ...subscriptionOf(group, event, committed),
    handle: (json, meta, tx) => handle(event.decode(json), meta, tx),
  };
}

/** Returns a handler that takes many events at once: for the paths where one statement per event costs too much. */
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
    ...subscriptionOf(group, event, committed),
    handle: (json, meta, tx) => handle([{ payload: event.decode(json), meta }], tx),
    handleBatch: (events, tx) =>
      handle(
        events.map(({ json, meta }) => ({ payload: event.decode(json), meta })),
        tx,
      ),
  };
}

function subscriptionOf<Payload>(
  group: ServiceName,
  event: EventType<Payload>,
  committed: ((payloads: readonly Payload[]) => void) | undefined,
): Pick<EventHandler, 'event' | 'group' | 'committed'> {
  const subscription = { event: event as EventType<never>, group };
  if (!committed) return subscription;
  return { ...subscription, committed: (events) => committed(events.map(({ json }) => event.decode(json))) };
}
