import { agencyCallsRecorded } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { recordCalls } from '../data/record-calls.ts';
import { toCall } from '../domain/call.ts';
import { type Retention, rowsSince } from '../domain/retention.ts';

/** Stores calls of the agency that come in one event. Each event is a transaction, as large as a batch of single calls. */
export function onAgencyCallsRecorded({
  clock,
  retention,
}: {
  clock: Clock;
  retention: Retention;
}): EventHandler {
  return defineHandler('admin-log', agencyCallsRecorded, ({ calls }, _meta, tx) =>
    recordCalls(tx, calls.map(toCall), rowsSince(clock.nowMs(), retention)),
  );
}
