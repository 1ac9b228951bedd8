import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import { lockUser, markDeleted } from '../data/user-rows.ts';
import { lockReceipts, settleWatches } from '../data/watch-rows.ts';
import { receiptsOf, removeWatchers } from '../data/watcher-rows.ts';
import type { HandlerDependencies } from './publish-status-changes.ts';

/** Erases the user; cases without other watchers are no longer checked. */
export function onUserDeleted({ clock, schedule }: HandlerDependencies): EventHandler {
  return defineHandler('monitoring', userDeleted, async ({ userId }, { timeMs }, tx) => {
    await lockUser(tx, userId);
    await markDeleted(tx, userId, timeMs);
    const receiptNumbers = await receiptsOf(tx, userId);
    if (receiptNumbers.length === 0) return;
    await lockReceipts(tx, receiptNumbers);
    await removeWatchers(tx, userId);
    await settleWatches(tx, schedule, receiptNumbers, await databaseTimeMs(tx, clock));
  });
}
