import { caseWatchChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { isDeleted, isDowngradedSince, lockUser } from '../data/user-rows.ts';
import { lockReceipts, lockWatches, settleWatches } from '../data/watch-rows.ts';
import { writeWatcher } from '../data/watcher-rows.ts';
import { periodDaysOf } from '../domain/period.ts';
import { announce } from './announce.ts';
import type { Reaction } from './reaction.ts';

/**
 * A user watches a receipt number this often from now on. The wish that was published last counts, in whatever
 * order they come; wishes of deleted users, and from before a downgrade, don't.
 */
export function onCaseWatchChanged({ bus, clock, schedule }: Reaction): EventHandler {
  return defineHandler('monitoring', caseWatchChanged, async (payload, { timeMs }, tx) => {
    const { userId, receiptNumber, frequency } = payload;
    const periodDays = periodDaysOf(frequency);
    await lockUser(tx, userId);
    if (await isDeleted(tx, userId)) return;
    if (periodDays !== null && (await isDowngradedSince(tx, userId, timeMs))) return;
    await lockReceipts(tx, [receiptNumber]);
    const began = await writeWatcher(tx, { userId, receiptNumber, periodDays, atMs: timeMs });
    await settleWatches(tx, schedule, [receiptNumber], Math.min(timeMs, clock.nowMs()));
    if (!began) return;
    // A change that was observed after the wish, but handled before it, is this user's news too.
    const [watch] = await lockWatches(tx, [receiptNumber]);
    if (!watch?.lastChange) return;
    await announce(
      tx,
      bus,
      [watch.lastChange],
      new Map([[receiptNumber, [{ receiptNumber, userId, sinceMs: timeMs }]]]),
    );
  });
}
