import { agencyCallsRecorded } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { recordCalls } from '../data/record-calls.ts';
import { toCall } from '../domain/call.ts';
import { type Retention, rowsSince } from '../domain/retention.ts';

/** Of one statement: some megabytes at most. */
const CALLS = 500;

/** Stores calls of the agency that come in events of many, in batches. */
export function onAgencyCallsRecorded({
  clock,
  retention,
}: {
  clock: Clock;
  retention: Retention;
}): EventHandler {
  return defineBatchHandler('admin-log', agencyCallsRecorded, async (events, tx) => {
    const calls = events.flatMap(({ payload }) => payload.calls.map(toCall));
    const sinceMs = rowsSince(clock.nowMs(), retention);
    for (let first = 0; first < calls.length; first += CALLS)
      await recordCalls(tx, calls.slice(first, first + CALLS), sinceMs);
  });
}
