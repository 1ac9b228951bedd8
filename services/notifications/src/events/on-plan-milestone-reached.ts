import { planMilestoneReached } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import type { NotifyUsers } from '../domain/notify-users.ts';

/** Notifies the user of what happened to the plan. */
export function onPlanMilestoneReached(notifyUsers: NotifyUsers): EventHandler {
  return defineBatchHandler('notifications', planMilestoneReached, notifyUsers.record, notifyUsers.committed);
}
