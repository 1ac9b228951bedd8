import { agencyCalled } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { recordCalls } from '../data/record-calls.ts';
import { toCall } from '../domain/call.ts';
import { type Keeping, rowsSince } from '../domain/retention.ts';

/** A call of the agency goes into the log, many at once. */
export function onAgencyCalled({ clock, keeping }: { clock: Clock; keeping: Keeping }): EventHandler {
  return defineBatchHandler('admin-log', agencyCalled, (events, tx) =>
    recordCalls(
      tx,
      events.map(({ payload }) => toCall(payload)),
      rowsSince(clock.nowMs(), keeping),
    ),
  );
}
