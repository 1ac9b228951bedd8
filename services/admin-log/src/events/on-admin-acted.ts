import { adminActed } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { recordActions } from '../data/record-actions.ts';
import { toAdminAction } from '../domain/admin-action.ts';

/** What was done in the admin area, or tried, goes into the audit trail. */
export function onAdminActed(): EventHandler {
  return defineBatchHandler('admin-log', adminActed, (events, tx) =>
    recordActions(
      tx,
      events.map(({ payload, meta }) => toAdminAction(payload, meta)),
    ),
  );
}
