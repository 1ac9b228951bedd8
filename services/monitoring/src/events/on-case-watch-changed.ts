import { caseWatchChanged } from '@casewatch/contracts/events';
import { defineHandler, type EventBus, type EventHandler } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { isDeleted, lockUser } from '../data/user-rows.ts';
import { lockReceipts, lockWatches, recordKnown, settleWatches, type WatchRow } from '../data/watch-rows.ts';
import { keepLastKnown, keepSeen, watchersConcerned, writeWatcher } from '../data/watcher-rows.ts';
import {
  changesOfWatchers,
  compareStatus,
  type SeenStatus,
  type StatusChange,
} from '../domain/compare-status.ts';
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
    await begin(tx, bus, { receiptNumber, userId, sinceMs, shown, lastKnown });
  });
}

interface Beginning {
  readonly receiptNumber: string;
  readonly userId: string;
  readonly sinceMs: number;
  /** The newest status that the user has seen, in the list or in a notification. */
  readonly shown: SeenStatus | undefined;
  /** See `keepLastKnown`. */
  readonly lastKnown: SeenStatus | undefined;
}

/** Brings the watch and a user who starts watching to the newest status that either knows, with an event for each who missed it. */
async function begin(
  tx: SqlExecutor,
  bus: EventBus,
  { receiptNumber, userId, sinceMs, shown, lastKnown }: Beginning,
): Promise<void> {
  const [watch] = await lockWatches(tx, [receiptNumber]);
  if (!watch) return;
  // Another status is a change, also one from before this watch: the user was shown this one. A watch that others have
  // started since may know less than the one before it knew. It does not move on to what cases showed: observations
  // before that may still be in flight, and are changes for the others.
  const start = watch.known ? lastKnown : shown;
  const observations = start ? [{ receiptNumber, ...start }] : [];
  const { newest, changes } = compareStatus(watch.known, observations);
  if (newest) {
    const change = changes[0];
    const watchers = await watchersConcerned(tx, [{ receiptNumber, change }]);
    await recordKnown(tx, receiptNumber, newest, change);
    await publishStatusChanges(
      tx,
      bus,
      changesOfWatchers(watch.known, observations, watchers.get(receiptNumber) ?? []),
    );
  }
  const known = newest ?? watch.known;
  if (shown && known && shown.observedAtMs > known.observedAtMs)
    await keepSeen(tx, userId, receiptNumber, shown);
  // A change that the user was not shown yet, but handled before the wish, concerns this user too.
  const missed = missedChange(watch, shown, sinceMs);
  if (missed) await publishStatusChanges(tx, bus, [{ ...missed, userId }]);
}

/**
 * Returns the change that the user has missed, from what the user was shown. Of several the watch knows the last, and none
 * where it began with a newer status of another user.
 */
function missedChange(
  { receiptNumber, known, lastChange }: WatchRow,
  shown: SeenStatus | undefined,
  sinceMs: number,
): StatusChange | undefined {
  if (lastChange && lastChange.changedAtMs >= sinceMs) {
    if (shown?.status !== lastChange.newStatus)
      return shown ? { ...lastChange, oldStatus: shown.status } : lastChange;
    // The list may have shown the new status before the watch learned of it.
    return lastChange.oldObservedAtMs >= sinceMs ? lastChange : undefined;
  }
  return compareStatus(shown, known ? [{ receiptNumber, ...known }] : []).changes[0];
}
