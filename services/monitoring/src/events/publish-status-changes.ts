import { statusChanged } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Schedule } from '../data/schedule.ts';
import type { WatcherRow } from '../data/watcher-rows.ts';
import type { StatusChange } from '../domain/compare-status.ts';

/** The dependencies of the handlers. */
export interface HandlerDependencies {
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly schedule: Schedule;
}

/** Events written by one statement. */
const CHUNK = 1_000;

/**
 * Publishes `status-changed` for each change and each of its watchers who already watched when it was observed.
 * `changes` come in order of receipt number: publishing takes locks in that order.
 */
export async function publishStatusChanges(
  tx: SqlExecutor,
  bus: EventBus,
  changes: readonly StatusChange[],
  watchers: ReadonlyMap<string, readonly WatcherRow[]>,
): Promise<void> {
  const payloads = changes.flatMap((change) =>
    (watchers.get(change.receiptNumber) ?? [])
      .filter(({ sinceMs }) => sinceMs <= change.changedAtMs)
      .map(({ userId }) => ({
        userId,
        receiptNumber: change.receiptNumber,
        oldStatus: change.oldStatus,
        newStatus: change.newStatus,
        changedAt: new Date(change.changedAtMs).toISOString(),
        answerMs: change.answerMs,
      })),
  );
  for (let start = 0; start < payloads.length; start += CHUNK) {
    await bus.publishAll(tx, statusChanged, payloads.slice(start, start + CHUNK));
  }
}
