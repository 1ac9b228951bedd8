import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { eraseUser } from '../data/people-rows.ts';

/** The account is gone: so are its answers, and none that comes later is kept. */
export function onUserDeleted({ clock }: { clock: Clock }): EventHandler {
  return defineHandler('surveys', userDeleted, ({ userId }, _meta, tx) =>
    eraseUser(tx, userId, clock.nowMs()),
  );
}
