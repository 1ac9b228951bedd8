import { savedCasesChanged } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { PushFanOut } from '@casewatch/messaging/push/push-fan-out';
import { casesKey } from '../domain/push-key.ts';

/** Notifies the user's open browsers, on every device, that the saved cases are others now. Nothing is stored. */
export function onSavedCasesChanged({ push }: { push: PushFanOut }): EventHandler {
  return defineBatchHandler('notifications', savedCasesChanged, async (events, tx) => {
    const users = new Set(events.map(({ payload }) => payload.userId));
    await push.publish(tx, [...users].map(casesKey));
  });
}
