import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { eraseUser } from '../data/user-rows.ts';

/** Erases the user's answers; later ones are not stored. */
export function onUserDeleted({ clock }: { clock: Clock }): EventHandler {
  return defineHandler('surveys', userDeleted, ({ userId }, _meta, tx) =>
    eraseUser(tx, userId, clock.nowMs()),
  );
}
