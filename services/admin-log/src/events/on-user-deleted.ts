import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/platform/events/event-bus';
import type { Clock } from '@casewatch/platform/runtime/clock';
import { eraseUser } from '../data/erase-user.ts';

/** The account is gone: the calls stay, who made them is forgotten. */
export function onUserDeleted({ clock }: { clock: Clock }): EventHandler {
  return defineHandler('admin-log', userDeleted, ({ userId }, _meta, tx) =>
    eraseUser(tx, userId, clock.nowMs()),
  );
}
