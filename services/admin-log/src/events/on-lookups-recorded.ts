import { lookupsRecorded } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { toCall } from '../domain/call.ts';
import type { CallRecorder } from '../domain/call-log.ts';
import { type Retention, rowsSince } from '../domain/retention.ts';

/** Stores lookups in the log, in batches. */
export function onLookupsRecorded({
  recorder,
  clock,
  retention,
}: {
  recorder: CallRecorder;
  clock: Clock;
  retention: Retention;
}): EventHandler {
  return defineBatchHandler('admin-log', lookupsRecorded, (events, tx) =>
    recorder.record(
      tx,
      events.flatMap(({ payload }) => payload.lookups.map(toCall)),
      rowsSince(clock.nowMs(), retention),
    ),
  );
}
