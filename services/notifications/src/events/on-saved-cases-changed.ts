import { savedCasesChanged } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { LiveSignal } from '@casewatch/messaging/live/live-signal';
import { casesKey, usersOf } from '../domain/live-key.ts';

/** Notifies the user's open browsers, on every device, that the saved cases are others now. Nothing is stored. */
export function onSavedCasesChanged({ signal }: { signal: LiveSignal }): EventHandler {
  return defineBatchHandler(
    'notifications',
    savedCasesChanged,
    (events, tx) => signal.publish(tx, usersOf(events.map(({ payload }) => payload)).map(casesKey)),
    (changes) => signal.committed(usersOf(changes).map(casesKey)),
  );
}
