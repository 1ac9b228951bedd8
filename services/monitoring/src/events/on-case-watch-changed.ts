import { caseWatchChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventBus, type EventHandler } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { isDeleted, lockUser } from '../data/user-rows.ts';
import { lockReceipts, lockWatches, recordKnown, settleWatches, type WatchRow } from '../data/watch-rows.ts';
import { keepLastKnown, type WatcherRow, watchersOf, writeWatcher } from '../data/watcher-rows.ts';
import { compareStatus, type SeenStatus, type StatusChange } from '../domain/compare-status.ts';
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
    const listed = known && { status: known.status, observedAtMs: Date.parse(known.observedAt) };
    // By the time of the call that the user was shown the answer of: one that was sent later, but before the wish, may be
    // stored after it.
    const unlistedMs = listed ? listed.observedAtMs + 1 : timeMs;
    const wish = { userId, receiptNumber, periodDays, atMs: timeMs, sinceMs: unlistedMs };
    const watcher = await writeWatcher(tx, wish);
    if (watcher?.change === 'ended') {
      // A change that is handled at the same time is either published for this user and kept, or neither.
      await lockWatches(tx, [receiptNumber]);
      await keepLastKnown(tx, userId, receiptNumber);
    }
    await settleWatches(tx, schedule, [receiptNumber], Math.min(timeMs, clock.nowMs()));
    if (watcher?.change !== 'began') return;
    const { lastKnown, sinceMs } = watcher;
    // Changes that were published before the end was handled may be newer than what the list showed.
    const shown = lastKnown && lastKnown.observedAtMs >= unlistedMs ? lastKnown : listed;
    await begin(tx, bus, { receiptNumber, userId, sinceMs }, { shown, lastKnown });
  });
}

/** Brings the watch and a user who starts watching to the newest status that either knows, with an event for each who missed it. */
async function begin(
  tx: SqlExecutor,
  bus: EventBus,
  watcher: WatcherRow,
  { shown, lastKnown }: { shown: SeenStatus | undefined; lastKnown: SeenStatus | undefined },
): Promise<void> {
  const { receiptNumber, sinceMs } = watcher;
  const [watch] = await lockWatches(tx, [receiptNumber]);
  if (!watch) return;
  // Another status is a change, also one from before this watch: the user was shown this one. A watch that others have
  // started since may know less than the one before it knew. It does not move on to what cases showed: observations
  // before that may still be in flight, and are changes for the others.
  const start = watch.lastStatus === null ? shown : lastKnown;
  const { newest, changes } = compareStatus(watch, start ? [{ receiptNumber, ...start }] : []);
  if (newest) await recordKnown(tx, receiptNumber, newest, changes[0]);
  if (changes.length > 0) await publishStatusChanges(tx, bus, changes, await watchersOf(tx, [receiptNumber]));
  // A change that the user was not shown yet, but handled before the wish, concerns this user too.
  const unseen = unseenChange(watch, shown, sinceMs);
  if (unseen) await publishStatusChanges(tx, bus, [unseen], new Map([[receiptNumber, [watcher]]]));
}

/**
 * Returns the change that the user has missed, from what the user was shown. Of several the watch knows the last, and none
 * where it began with a newer status of another user.
 */
function unseenChange(
  { receiptNumber, lastStatus, statusObservedAtMs, lastChange }: WatchRow,
  shown: SeenStatus | undefined,
  sinceMs: number,
): StatusChange | undefined {
  if (lastChange && lastChange.changedAtMs >= sinceMs) {
    const isShown = shown === undefined || shown.status === lastChange.newStatus;
    return isShown ? lastChange : { ...lastChange, oldStatus: shown.status };
  }
  if (!shown || lastStatus === null || statusObservedAtMs === null) return undefined;
  const known = { lastStatus: shown.status, statusObservedAtMs: shown.observedAtMs };
  const now = { receiptNumber, status: lastStatus, observedAtMs: statusObservedAtMs };
  return compareStatus(known, [now]).changes[0];
}
