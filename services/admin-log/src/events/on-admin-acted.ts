import { adminActed } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { recordActions } from '../data/audit-trail.ts';
import { removeViewsOfRemoved } from '../data/log-views.ts';
import { toAdminAction } from '../domain/admin-action.ts';

/** Stores actions and attempts in the admin area in the audit trail; a removed administrator's views of the log go. */
export function onAdminActed(): EventHandler {
  return defineBatchHandler('admin-log', adminActed, async (events, tx) => {
    const actions = events.map(({ payload, meta }) => toAdminAction(payload, meta));
    await recordActions(tx, actions);
    await removeViewsOfRemoved(tx, actions);
  });
}
