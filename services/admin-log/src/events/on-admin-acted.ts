import { adminActed } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { toAdminAction } from '../domain/admin-action.ts';
import type { AuditTrail } from '../domain/list-audit.ts';
import type { LogViews } from '../domain/log-views.ts';

/** Stores actions and attempts in the admin area in the audit trail; a removed administrator's views of the log go. */
export function onAdminActed({ audit, views }: { audit: AuditTrail; views: LogViews }): EventHandler {
  return defineBatchHandler('admin-log', adminActed, async (events, tx) => {
    const actions = events.map(({ payload, meta }) => toAdminAction(payload, meta));
    await audit.record(tx, actions);
    await views.removeOfRemoved(tx, actions);
  });
}
