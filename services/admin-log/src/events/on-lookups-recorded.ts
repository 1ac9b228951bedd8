import { lookupsRecorded } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { recordCalls } from '../data/record-calls.ts';
import { toCall } from '../domain/call.ts';
import { type Retention, rowsSince } from '../domain/retention.ts';

/** Stores lookups in the log, in batches. */
export function onLookupsRecorded({
  clock,
  retention,
}: {
  clock: Clock;
  retention: Retention;
}): EventHandler {
  return defineBatchHandler('admin-log', lookupsRecorded, (events, tx) =>
    recordCalls(
      tx,
      events.flatMap(({ payload }) => payload.lookups.map(toCall)),
      rowsSince(clock.nowMs(), retention),
    ),
  );
}
