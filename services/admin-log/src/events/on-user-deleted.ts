import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { eraseUser } from '../data/user-rows.ts';

/** Removes the user from the calls; the calls stay. */
export function onUserDeleted({ clock }: { clock: Clock }): EventHandler {
  return defineHandler('admin-log', userDeleted, ({ userId }, _meta, tx) =>
    eraseUser(tx, userId, clock.nowMs()),
  );
}
