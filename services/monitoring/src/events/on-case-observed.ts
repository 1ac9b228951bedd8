import { caseObserved } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { lockWatches, recordStatuses } from '../data/watch-rows.ts';
import { watchersConcerned } from '../data/watcher-rows.ts';
import { changesOfWatchers, compareStatus, type Observation } from '../domain/compare-status.ts';
import type { HandlerDependencies } from './publish-status-changes.ts';
import { publishStatusChanges } from './publish-status-changes.ts';

/**
 * Records the observed statuses, from lookups as well as checks. Changes are published in the transaction that records
 * them, once per watcher who has not seen the status yet; cases without watchers and stale observations are ignored.
 */
export function onCaseObserved({ bus, schedule }: HandlerDependencies): EventHandler {
  return defineBatchHandler('monitoring', caseObserved, async (events, tx) => {
    const observations = events.map(
      ({ payload: { receiptNumber, status, observedAt, answerMs, terminal } }): Observation => ({
        receiptNumber,
        status,
        observedAtMs: Date.parse(observedAt),
        answerMs,
        terminal,
      }),
    );
    const byReceipt = Map.groupBy(observations, ({ receiptNumber }) => receiptNumber);
    const watches = await lockWatches(tx, [...byReceipt.keys()]);
    const recorded = watches.flatMap((watch) => {
      const { newest, changes } = compareStatus(watch.known, byReceipt.get(watch.receiptNumber) ?? []);
      return newest ? [{ ...newest, known: watch.known, change: changes.at(-1) }] : [];
    });
    const watchers = await watchersConcerned(tx, recorded);
    await recordStatuses(tx, schedule, recorded);
    const changes = recorded.flatMap(({ receiptNumber, known }) =>
      changesOfWatchers(known, byReceipt.get(receiptNumber) ?? [], watchers.get(receiptNumber) ?? []),
    );
    await publishStatusChanges(tx, bus, changes);
  });
}
