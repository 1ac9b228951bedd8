import { statusChanged } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Schedule } from '../data/schedule.ts';
import type { WatcherChange } from '../domain/compare-status.ts';

/** The dependencies of the handlers. */
export interface HandlerDependencies {
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly schedule: Schedule;
}

/** Events written by one statement. */
const CHUNK = 1_000;

/**
 * Publishes `status-changed` for each of `changes`, which come in order of receipt number: publishing takes locks in that
 * order.
 */
export async function publishStatusChanges(
  tx: SqlExecutor,
  bus: EventBus,
  changes: readonly WatcherChange[],
): Promise<void> {
  const payloads = changes.map(({ userId, receiptNumber, oldStatus, newStatus, changedAtMs, answerMs }) => ({
    userId,
    receiptNumber,
    oldStatus,
    newStatus,
    changedAt: new Date(changedAtMs).toISOString(),
    answerMs,
  }));
  for (let start = 0; start < payloads.length; start += CHUNK) {
    await bus.publishAll(tx, statusChanged, payloads.slice(start, start + CHUNK));
  }
}
