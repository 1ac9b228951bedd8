import { EventFormatError } from '@casewatch/contracts/event-type';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { isLimitExceeded, isTransient } from '@casewatch/service-kit/errors/transient-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type pg from 'pg';
import { insertDeadLetter } from './dead-letters.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';
import { type EventHandler, signalCommit } from './event-bus.ts';
import { type EventRecord, metaOf } from './event-record.ts';
import { type EventTelemetry, noEventTelemetry } from './event-telemetry.ts';
import { claimInInbox } from './inbox.ts';
import { createKeyedQueue, type Outcome } from './keyed-queue.ts';
import { redriveDeadLetters } from './redrive.ts';

export interface GroupConsumerOptions {
  group: ServiceName;
  /** This group's handlers, at most one per event. */
  handlers: readonly EventHandler[];
  /** Connections of the consuming service's role; its schema holds inbox and dead letters. */
  pool: pg.Pool;
  clock: Clock;
  logger: Logger;
  policy: DeliveryPolicy;
  /** The inbox; only tests that show its purpose replace it. */
  claim?: typeof claimInInbox;
  telemetry?: EventTelemetry;
}

/** The event was not handled because the consumer stopped; it must be dispatched again. */
export class ConsumerStopped extends Error {
  override readonly name = 'ConsumerStopped';
}

interface Delivery {
  readonly event: EventRecord;
  /** Order is kept per event type and key. */
  readonly key: string;
  attempts: number;
  /** Consecutive attempts at which a dependency was unavailable. */
  pauses: number;
  /** Its batch failed, or it ran into a limit: it is retried by itself, and such events never take all connections. */
  alone: boolean;
  resolve(): void;
  reject(reason: Error): void;
}

export type GroupConsumer = ReturnType<typeof createGroupConsumer>;

/**
 * Handles the events of one consumer group: in order per event type and key, each with the inbox in one
 * transaction, so that its effect happens once however often it is delivered. A failing event is tried five
 * times and then stored as a dead letter, after which its key continues. Transient errors do not count as attempts. One that may be
 * the event's own, such as a statement timeout, counts when the event was alone in its transaction and others were settled
 * in the same time: a database that hangs makes no dead letters.
 */
export function createGroupConsumer(options: GroupConsumerOptions) {
  const { group, pool, clock, policy, claim = claimInInbox, telemetry = noEventTelemetry } = options;
  const logger = options.logger.child({ group });
  const handlers = new Map<string, EventHandler>();
  for (const handler of options.handlers) {
    if (handlers.has(handler.event.name))
      throw new Error(`${group} has two handlers of ${handler.event.name}`);
    handlers.set(handler.event.name, handler);
    telemetry.handled(group, handler.event.name, 'applied', 0);
  }
  let deadLettered = 0;
  let settledCount = 0;
  const time = steadyTime(clock);
  let lastPauseMs: number | undefined;
  /** Events that failed leave room for others, which show whether the database works. */
  const ALONE = { kind: 'alone', size: 1, limit: Math.max(1, policy.concurrency - 1) };

  const queue = createKeyedQueue<Delivery>({
    clock,
    concurrency: policy.concurrency,
    batchOf: ({ event, alone }) => {
      if (alone) return ALONE;
      return { kind: event.topic, size: handlerOf(event).handleBatch ? policy.batchSize : 1 };
    },
    work: (deliveries) => (deliveries.length > 1 ? workOnBatch(deliveries) : workOnOne(deliveries)),
    onSettled: (delivery) => {
      settledCount++;
      delivery.resolve();
    },
    onDropped: (delivery) => delivery.reject(new ConsumerStopped()),
  });

  async function workOnBatch(batch: readonly Delivery[]): Promise<Outcome[]> {
    try {
      await handleMeasured(batch.map(({ event }) => event));
      return batch.map(() => 'settled');
    } catch (error) {
      const transient = isTransient(error);
      if (!transient || isLimitExceeded(error)) for (const delivery of batch) delivery.alone = true;
      return transient ? pause(batch, error) : batch.map(() => ({ retryInMs: 0 }));
    }
  }

  async function workOnOne([delivery]: readonly Delivery[]): Promise<Outcome[]> {
    if (!delivery) return [];
    const settledBefore = settledCount;
    try {
      await handleMeasured([delivery.event]);
      return ['settled'];
    } catch (error) {
      const transient = isTransient(error);
      const isLimit = isLimitExceeded(error);
      if (isLimit) delivery.alone = true;
      const isOwn = !transient || (isLimit && settledCount > settledBefore);
      if (!isOwn) return pause([delivery], error);
      delivery.attempts++;
      delivery.pauses = 0;
      const delayMs = policy.retryDelaysMs[delivery.attempts - 1];
      if (delayMs === undefined || error instanceof EventFormatError) return deadLetter(delivery, error);
      const retryInMs = transient ? Math.max(delayMs, policy.maximumPauseMs) : delayMs;
      telemetry.handled(group, delivery.event.topic, 'retried', 1);
      logger.warn(
        { err: error, ...namesOf(delivery), retryInMs },
        'event consumer: handler failed, will retry',
      );
      return [{ retryInMs }];
    }
  }

  /** All events are of one type, or there is only one. */
  async function handleMeasured(events: readonly EventRecord[]): Promise<void> {
    const topic = events[0]?.topic ?? '';
    const applied = await telemetry.handling(group, events, () => handleOnce(events));
    telemetry.handled(group, topic, 'applied', applied);
    telemetry.handled(group, topic, 'duplicate', events.length - applied);
  }

  /** Resolves to the number of events that had not been handled before. */
  async function handleOnce(events: readonly EventRecord[]): Promise<number> {
    const delivered = events.map((event) => ({ json: event.payload, meta: metaOf(event), event }));
    const [first] = delivered;
    if (!first) return 0;
    const handler = handlerOf(first.event);
    const applied = await inTransaction(pool, async (tx) => {
      const ids = events.map(({ id }) => id);
      const fresh = await claim(tx, group, ids, clock.nowMs());
      // An event may be delivered twice in one batch: only the first of them is new.
      const received = delivered.filter(({ event }) => fresh.delete(event.id));
      if (received.length > 1 && handler.handleBatch) await handler.handleBatch(received, tx);
      else for (const { json, meta } of received) await handler.handle(json, meta, tx);
      return received.length;
    });
    signalCommit(handler, delivered, logger);
    return applied;
  }

  function pause(deliveries: readonly Delivery[], error: unknown): Outcome[] {
    const { firstPauseMs, maximumPauseMs } = policy;
    lastPauseMs = time();
    const pauses = Math.max(...deliveries.map((delivery) => delivery.pauses++));
    const retryInMs = Math.min(firstPauseMs * 2 ** pauses, maximumPauseMs);
    telemetry.handled(group, deliveries[0]?.event.topic ?? '', 'retried', deliveries.length);
    logger.warn(
      { err: error, events: deliveries.length, retryInMs },
      'event consumer: dependency unavailable, will retry',
    );
    return deliveries.map(() => ({ retryInMs }));
  }

  async function deadLetter(delivery: Delivery, error: unknown): Promise<Outcome[]> {
    const { event, attempts } = delivery;
    try {
      await inTransaction(pool, async (tx) => {
        const nowMs = clock.nowMs();
        const fresh = await claimInInbox(tx, group, [event.id], nowMs);
        if (fresh.size > 0) await insertDeadLetter(tx, group, event, { error, attempts, nowMs });
      });
    } catch (failure) {
      return pause([delivery], failure);
    }
    deadLettered++;
    telemetry.handled(group, event.topic, 'dead', 1);
    logger.error(
      { err: error, ...namesOf(delivery) },
      'event consumer: event failed for good, stored as a dead letter',
    );
    return ['settled'];
  }

  function handlerOf({ topic }: EventRecord): EventHandler {
    const handler = handlers.get(topic);
    if (!handler) throw new Error(`${group} does not handle ${topic}`);
    return handler;
  }

  return {
    group,
    topics: [...handlers.keys()],

    /**
     * Resolves when the event is settled for this group: its effect is committed, now or earlier, or it is
     * a dead letter. @throws ConsumerStopped when the consumer stopped before.
     */
    dispatch(event: EventRecord): Promise<void> {
      return new Promise((resolve, reject) => {
        const key = `${event.topic} ${event.key}`;
        queue.push({ event, key, attempts: 0, pauses: 0, alone: false, resolve, reject });
      });
    },

    /** Handles the dead letters whose redrive is requested, each once; those that fail stay dead letters. */
    redrive: () => redriveDeadLetters({ group, pool, clock, logger, handlerOf }),

    /** `sincePauseMs`: since a dependency of a handler was last found unavailable; undefined when none was. */
    state: () => ({
      waiting: queue.size(),
      sincePauseMs: lastPauseMs === undefined ? undefined : time() - lastPauseMs,
      deadLettered,
    }),

    /** Finishes the handlers in progress. */
    stop: () => queue.stop(),
  };
}

function namesOf({ event, attempts }: Delivery) {
  return { topic: event.topic, eventId: event.id, attempts };
}
