import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { eraseUser } from '../data/erase-user.ts';

/** The account is gone: the calls stay, who made them is forgotten. */
export function onUserDeleted({ clock }: { clock: Clock }): EventHandler {
  return defineHandler('admin-log', userDeleted, ({ userId }, _meta, tx) =>
    eraseUser(tx, userId, clock.nowMs()),
  );
}
