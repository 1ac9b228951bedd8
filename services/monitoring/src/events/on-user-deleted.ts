import { userDeleted } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { lockUser, markDeleted } from '../data/user-rows.ts';
import { lockReceipts, settleWatches } from '../data/watch-rows.ts';
import { receiptsOf, removeWatchers } from '../data/watcher-rows.ts';
import type { Reaction } from './reaction.ts';

/** Erases the user; what nobody else watches is no longer checked. */
export function onUserDeleted({ clock, schedule }: Reaction): EventHandler {
  return defineHandler('monitoring', userDeleted, async ({ userId }, { timeMs }, tx) => {
    await lockUser(tx, userId);
    await markDeleted(tx, userId, timeMs);
    const receiptNumbers = await receiptsOf(tx, userId);
    if (receiptNumbers.length === 0) return;
    await lockReceipts(tx, receiptNumbers);
    await removeWatchers(tx, userId);
    await settleWatches(tx, schedule, receiptNumbers, clock.nowMs());
  });
}
