import { agencyCalled } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { recordCalls } from '../data/record-calls.ts';
import { toCall } from '../domain/call.ts';
import { type Retention, rowsSince } from '../domain/retention.ts';

/** Stores calls of the agency in the log, in batches. */
export function onAgencyCalled({ clock, retention }: { clock: Clock; retention: Retention }): EventHandler {
  return defineBatchHandler('admin-log', agencyCalled, (events, tx) =>
    recordCalls(
      tx,
      events.map(({ payload }) => toCall(payload)),
      rowsSince(clock.nowMs(), retention),
    ),
  );
}
