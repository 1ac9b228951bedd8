import { caseWatchChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { isDeleted, lockUser } from '../data/user-rows.ts';
import { beginWithStatus, lockReceipts, lockWatches, settleWatches } from '../data/watch-rows.ts';
import { writeWatcher } from '../data/watcher-rows.ts';
import type { StatusChange } from '../domain/compare-status.ts';
import { periodDaysOf } from '../domain/period.ts';
import type { HandlerDependencies } from './publish-status-changes.ts';
import { publishStatusChanges } from './publish-status-changes.ts';

/**
 * A receipt number is watched this often from now on. The wish that was published last counts, in whatever order they
 * arrive; those of deleted users don't. When a plan ends or returns, cases publishes what is to run.
 */
export function onCaseWatchChanged({ bus, clock, schedule }: HandlerDependencies): EventHandler {
  return defineHandler('monitoring', caseWatchChanged, async (payload, { timeMs }, tx) => {
    const { userId, receiptNumber, frequency, known } = payload;
    const periodDays = periodDaysOf(frequency);
    await lockUser(tx, userId);
    if (await isDeleted(tx, userId)) return;
    await lockReceipts(tx, [receiptNumber]);
    // By the clock of the observation that the user was shown: one that was made before the wish may be stored after it.
    const sinceMs = known ? Date.parse(known.observedAt) + 1 : timeMs;
    const began = await writeWatcher(tx, { userId, receiptNumber, periodDays, atMs: timeMs, sinceMs });
    await settleWatches(tx, schedule, [receiptNumber], Math.min(timeMs, clock.nowMs()));
    if (!began) return;
    // Another status is a change, also one from before this watch: the user was shown this one.
    if (known) await beginWithStatus(tx, receiptNumber, known);
    // A change that the user was not shown yet, but handled before the wish, concerns this user too.
    const [watch] = await lockWatches(tx, [receiptNumber]);
    if (!watch?.lastChange) return;
    await publishStatusChanges(
      tx,
      bus,
      [fromShown(watch.lastChange, known?.status)],
      new Map([[receiptNumber, [{ receiptNumber, userId, sinceMs }]]]),
    );
  });
}

/** Of several changes one is known: it leads from what the user was shown. */
function fromShown(change: StatusChange, shown: string | undefined): StatusChange {
  return shown === undefined || shown === change.newStatus ? change : { ...change, oldStatus: shown };
}
