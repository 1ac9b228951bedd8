import { statusChanged } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/platform/events/event-bus';
import type { PushFanOut } from '@casewatch/platform/push/push-fan-out';
import type { Clock } from '@casewatch/platform/runtime/clock';
import { recordStatusChanges } from '../data/record-status-changes.ts';

/** A case moved: its watcher is notified, and the open streams hear of it with the commit. */
export function onStatusChanged({ push, clock }: { push: PushFanOut; clock: Clock }): EventHandler {
  return defineBatchHandler('notifications', statusChanged, async (events, tx) => {
    const changes = events.map(({ payload, meta }) => ({ ...payload, eventId: meta.id }));
    const notified = await recordStatusChanges(tx, changes, clock.nowMs());
    await push.publish(tx, notified);
  });
}
