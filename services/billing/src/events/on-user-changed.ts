import { userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { recordChangedContact } from '../data/user-rows.ts';

/** Makes the customer due whose name or address is another one now. */
export function onUserChanged({ clock }: { clock: Clock }): EventHandler {
  return defineHandler('billing', userChanged, (changed, _meta, tx) =>
    recordChangedContact(tx, changed, clock.nowMs()),
  );
}
