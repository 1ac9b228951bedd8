import { caseObserved } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { lockWatches, recordStatuses } from '../data/watch-rows.ts';
import { watchersOf } from '../data/watcher-rows.ts';
import { compareStatus, type Observation } from '../domain/compare-status.ts';
import type { HandlerDependencies } from './publish-status-changes.ts';
import { publishStatusChanges } from './publish-status-changes.ts';

/**
 * Records the observed statuses, from lookups as well as checks. Changes are published in the transaction that records
 * them, once per watcher; cases without watchers and stale observations are ignored.
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
    const compared = watches.map((watch) => compareStatus(watch, byReceipt.get(watch.receiptNumber) ?? []));
    await recordStatuses(
      tx,
      schedule,
      compared.flatMap(({ newest, changes }) => (newest ? [{ ...newest, change: changes.at(-1) }] : [])),
    );
    const changes = compared.flatMap((comparison) => comparison.changes);
    if (changes.length === 0) return;
    const changed = [...new Set(changes.map(({ receiptNumber }) => receiptNumber))];
    await publishStatusChanges(tx, bus, changes, await watchersOf(tx, changed));
  });
}
