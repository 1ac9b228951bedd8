import { savedCasesChanged } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { PushFanOut } from '@casewatch/messaging/push/push-fan-out';
import { casesKey, usersOf } from '../domain/push-key.ts';

/** Notifies the user's open browsers, on every device, that the saved cases are others now. Nothing is stored. */
export function onSavedCasesChanged({ push }: { push: PushFanOut }): EventHandler {
  return defineBatchHandler(
    'notifications',
    savedCasesChanged,
    (events, tx) => push.publish(tx, usersOf(events.map(({ payload }) => payload)).map(casesKey)),
    (changes) => push.committed(usersOf(changes).map(casesKey)),
  );
}
