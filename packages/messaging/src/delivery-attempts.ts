import { EventFormatError } from '@casewatch/contracts/event-type';
import type { ServiceName } from '@casewatch/contracts/route-contract';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { isLimitExceeded, isTransient } from '@casewatch/service-kit/errors/transient-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type pg from 'pg';
import { insertDeadLetter } from './dead-letters.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';
import type { EventRecord } from './event-record.ts';
import type { EventTelemetry } from './event-telemetry.ts';
import type { GroupHandlers } from './group-handlers.ts';
import { claimInInbox } from './inbox.ts';
import type { Outcome } from './keyed-queue.ts';

/** An event on its way to the handler of a group. */
export interface Delivery {
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

export interface DeliveryAttemptsOptions {
  group: ServiceName;
  handlers: GroupHandlers;
  pool: pg.Pool;
  clock: Clock;
  policy: DeliveryPolicy;
  telemetry: EventTelemetry;
  logger: Logger;
}

/** Attempts deliveries and decides what becomes of them: settled, retried after a delay or a pause, or a dead letter. */
export function createDeliveryAttempts(options: DeliveryAttemptsOptions) {
  const { group, handlers, pool, clock, policy, telemetry, logger } = options;
  let deadLettered = 0;
  let settledCount = 0;
  const time = steadyTime(clock);
  let lastPauseMs: number | undefined;

  async function workOnBatch(batch: readonly Delivery[]): Promise<Outcome[]> {
    try {
      await handlers.handle(batch.map(({ event }) => event));
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
      await handlers.handle([delivery.event]);
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
      await inTransaction(pool, (tx) =>
        handleAsDeadLetter(tx, group, event, { error, attempts, nowMs: clock.nowMs() }),
      );
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

  return {
    work: (deliveries: readonly Delivery[]) =>
      deliveries.length > 1 ? workOnBatch(deliveries) : workOnOne(deliveries),

    /** Each settled delivery shows that the database works. */
    noteSettled(): void {
      settledCount++;
    },

    state: () => ({
      sincePauseMs: lastPauseMs === undefined ? undefined : time() - lastPauseMs,
      deadLettered,
    }),
  };
}

/** Marks the event as handled and stores it as a dead letter, unless it has been handled. */
async function handleAsDeadLetter(
  tx: SqlExecutor,
  group: string,
  event: EventRecord,
  failure: Parameters<typeof insertDeadLetter>[3],
): Promise<void> {
  const fresh = await claimInInbox(tx, group, [event.id], failure.nowMs);
  if (fresh.size > 0) await insertDeadLetter(tx, group, event, failure);
}

function namesOf({ event, attempts }: Delivery) {
  return { topic: event.topic, eventId: event.id, attempts };
}
