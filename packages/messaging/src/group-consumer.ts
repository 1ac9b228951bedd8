import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type pg from 'pg';
import { createDeliveryAttempts, type Delivery } from './delivery-attempts.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';
import type { EventHandler } from './event-bus.ts';
import type { EventRecord } from './event-record.ts';
import { type EventTelemetry, noEventTelemetry } from './event-telemetry.ts';
import { createGroupHandlers } from './group-handlers.ts';
import { claimInInbox } from './inbox.ts';
import { KeyedQueue } from './keyed-queue.ts';
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
  claim?: typeof claimInInbox | undefined;
  telemetry?: EventTelemetry;
}

/** The event was not handled because the consumer stopped; it must be dispatched again. */
export class ConsumerStopped extends Error {
  override readonly name = 'ConsumerStopped';
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
  const handlers = createGroupHandlers({ ...options, claim, telemetry, logger });
  const attempts = createDeliveryAttempts({ group, handlers, pool, clock, policy, telemetry, logger });
  /** Events that failed leave room for others, which show whether the database works. */
  const ALONE = { kind: 'alone', size: 1, limit: Math.max(1, policy.concurrency - 1) };

  const queue = new KeyedQueue<Delivery>({
    clock,
    concurrency: policy.concurrency,
    batchOf: ({ event, alone }) => {
      if (alone) return ALONE;
      return { kind: event.topic, size: handlers.of(event).handleBatch ? policy.batchSize : 1 };
    },
    work: attempts.work,
    onSettled: (delivery) => {
      attempts.noteSettled();
      delivery.resolve();
    },
    onDropped: (delivery) => delivery.reject(new ConsumerStopped()),
  });

  return {
    group,
    topics: handlers.topics,

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
    redrive: () => redriveDeadLetters({ group, pool, clock, logger, handlerOf: handlers.of }),

    /** `sincePauseMs`: since a dependency of a handler was last found unavailable; undefined when none was. */
    state: () => ({ waiting: queue.size, ...attempts.state() }),

    /** Finishes the handlers in progress. */
    stop: () => queue.stop(),
  };
}
