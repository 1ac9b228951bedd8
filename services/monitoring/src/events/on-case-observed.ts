import { caseObserved } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { lockWatches, recordStatuses } from '../data/watch-rows.ts';
import { watchersOf } from '../data/watcher-rows.ts';
import { compareStatus, type Observation } from '../domain/compare-status.ts';
import { announce } from './announce.ts';
import type { Reaction } from './reaction.ts';

/**
 * The agency said where cases stand, whoever asked. What changed is published in the transaction that records it,
 * once per watcher; what nobody watches, and what is older than what is known, is ignored.
 */
export function onCaseObserved({ bus, schedule }: Reaction): EventHandler {
  return defineBatchHandler('monitoring', caseObserved, async (events, tx) => {
    const observations = events.map(
      ({ payload: { receiptNumber, status, observedAt, terminal } }): Observation => ({
        receiptNumber,
        status,
        observedAtMs: Date.parse(observedAt),
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
    await announce(tx, bus, changes, await watchersOf(tx, changed));
  });
}
