import { statusChanged } from '@casewatch/contracts/events';
import type { EventBus } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { WatcherRows, WatchRows } from './store.ts';
import type { StatusChange } from './watch-rules.ts';

/** The dependencies of the use cases that change watches. */
export interface Watching {
  readonly watches: WatchRows;
  readonly watchers: WatcherRows;
  readonly bus: EventBus;
  readonly clock: Clock;
}

/** A change of one case for one of its watchers. */
interface PublishedChange extends StatusChange {
  readonly userId: string;
  readonly receiptNumber: string;
  /** When the agency was asked, to be shown. */
  readonly changedAt: string;
  /** How long the answer took, where it has just come. */
  readonly answerMs?: number | undefined;
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
  changes: readonly PublishedChange[],
): Promise<void> {
  const payloads = changes.map(({ call, ...change }) => ({ ...change, callNumber: call.toString() }));
  for (let start = 0; start < payloads.length; start += CHUNK) {
    await bus.publishAll(tx, statusChanged, payloads.slice(start, start + CHUNK));
  }
}
