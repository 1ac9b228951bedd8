import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { CallRecorder } from '../domain/call-log.ts';

/** Removes the user from the calls; the calls stay. */
export function onUserDeleted({ recorder, clock }: { recorder: CallRecorder; clock: Clock }): EventHandler {
  return defineHandler('admin-log', userDeleted, ({ userId }, _meta, tx) =>
    recorder.eraseUser(tx, userId, clock.nowMs()),
  );
}
