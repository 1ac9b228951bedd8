import { userChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { isDeleted, lockUser, markDowngraded } from '../data/user-rows.ts';
import { lockReceipts, settleWatches } from '../data/watch-rows.ts';
import { receiptsOf, removeWatchers } from '../data/watcher-rows.ts';
import type { Reaction } from './reaction.ts';

/** Monitoring is for pro users: on the free plan nothing is watched that was wished for before. */
export function onUserChanged({ clock, schedule }: Reaction): EventHandler {
  return defineHandler('monitoring', userChanged, async ({ userId, tier }, { timeMs }, tx) => {
    if (tier !== 'free') return;
    await lockUser(tx, userId);
    if (await isDeleted(tx, userId)) return;
    await markDowngraded(tx, userId, timeMs);
    const receiptNumbers = await receiptsOf(tx, userId);
    if (receiptNumbers.length === 0) return;
    await lockReceipts(tx, receiptNumbers);
    await removeWatchers(tx, userId, timeMs);
    await settleWatches(tx, schedule, receiptNumbers, clock.nowMs());
  });
}
