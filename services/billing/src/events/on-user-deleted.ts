import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { eraseUser } from '../data/user-rows.ts';

/** The account is gone: so is what is kept of it here, and what it has at the provider ends as soon as it answers. */
export function onUserDeleted({ clock }: { clock: Clock }): EventHandler {
  return defineHandler('billing', userDeleted, ({ userId }, _meta, tx) =>
    eraseUser(tx, userId, clock.nowMs()),
  );
}
