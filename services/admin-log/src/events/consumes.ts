import { adminActed, lookupsRecorded, userDeleted } from '@casewatch/contracts/events';
import { defineBatchHandler, defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { toAdminAction } from '../domain/admin-action.ts';
import { toCall } from '../domain/call.ts';
import type { CallRecorder } from '../domain/call-log.ts';
import type { AuditTrail } from '../domain/list-audit.ts';
import type { LogViews } from '../domain/log-views.ts';
import { type Retention, rowsSince } from '../domain/retention.ts';

interface Deps {
  recorder: CallRecorder;
  audit: AuditTrail;
  views: LogViews;
  retention: Retention;
  clock: Clock;
}

/** Every event that this service handles, each in the transaction that marks it as handled. */
export const consumes = ({ recorder, audit, views, retention, clock }: Deps): EventHandler[] => [
  // Stores lookups in the log, in batches.
  defineBatchHandler('admin-log', lookupsRecorded, (events, tx) => {
    const calls = events.flatMap(({ payload }) => payload.lookups.map(toCall));
    return recorder.record(tx, calls, rowsSince(clock.nowMs(), retention));
  }),
  // Stores actions and attempts in the admin area in the audit trail; a removed administrator's views of the log go.
  defineBatchHandler('admin-log', adminActed, async (events, tx) => {
    const actions = events.map(({ payload, meta }) => toAdminAction(payload, meta));
    await audit.record(tx, actions);
    await views.removeOfRemoved(tx, actions);
  }),
  // Removes the user from the calls; the calls stay.
  defineHandler('admin-log', userDeleted, ({ userId }, _meta, tx) =>
    recorder.eraseUser(tx, userId, clock.nowMs()),
  ),
];
