import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { eraseUser } from '../data/user-rows.ts';

/** Erases the user's billing data here, and ends what the user has at the provider as soon as the provider answers. */
export function onUserDeleted({ clock }: { clock: Clock }): EventHandler {
  return defineHandler('billing', userDeleted, ({ userId }, _meta, tx) =>
    eraseUser(tx, userId, clock.nowMs()),
  );
}
