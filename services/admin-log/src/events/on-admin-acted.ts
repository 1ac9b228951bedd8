import { adminActed } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { recordActions } from '../data/audit-trail.ts';
import { toAdminAction } from '../domain/admin-action.ts';

/** Stores actions and attempts in the admin area in the audit trail. */
export function onAdminActed(): EventHandler {
  return defineBatchHandler('admin-log', adminActed, (events, tx) =>
    recordActions(
      tx,
      events.map(({ payload, meta }) => toAdminAction(payload, meta)),
    ),
  );
}
