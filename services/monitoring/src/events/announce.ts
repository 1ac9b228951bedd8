import { statusChanged } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { WatcherRow } from '../data/watcher-rows.ts';
import type { StatusChange } from '../domain/compare-status.ts';

/** Events written by one statement. */
const CHUNK = 1_000;

/**
 * Publishes `status-changed` for each change and each of its watchers who already watched when it was observed.
 * `changes` come in order of receipt number: publishing takes locks in that order.
 */
export async function announce(
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
      })),
  );
  for (let start = 0; start < payloads.length; start += CHUNK) {
    await bus.publishAll(tx, statusChanged, payloads.slice(start, start + CHUNK));
  }
}
