import { caseObserved } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { databaseTimeMs } from '@casewatch/service-kit/database/database-time';
import { lockWatches, recordStatuses } from '../data/watch-rows.ts';
import { watchersConcerned, writeWatchers } from '../data/watcher-rows.ts';
import { afterAnswers } from '../domain/watch-rules.ts';
import type { HandlerDependencies } from './publish-status-changes.ts';
import { publishStatusChanges } from './publish-status-changes.ts';

/**
 * Records what the agency answered, to lookups as well as checks. Changes are published in the transaction that records
 * them, once per watcher who has not seen the status yet; cases without watchers and answers that a later call has overtaken are
 * ignored.
 */
export function onCaseObserved({ bus, clock, schedule }: HandlerDependencies): EventHandler {
  return defineBatchHandler('monitoring', caseObserved, async (events, tx) => {
    const answers = events.map(({ payload: { status, ...payload } }) => ({
      ...payload,
      status,
      call: BigInt(payload.callNumber),
    }));
    const byReceipt = Map.groupBy(answers, ({ receiptNumber }) => receiptNumber);
    const watches = await lockWatches(tx, [...byReceipt.keys()]);
    const watched = answers.filter(({ receiptNumber }) => watches.has(receiptNumber));
    if (watched.length === 0) return;
    const concerned = await watchersConcerned(
      tx,
      watched.map(({ receiptNumber, status }) => ({ receiptNumber, status: status ?? null })),
    );
    const after = [...watches].map(([receiptNumber, before]) => {
      const own = byReceipt.get(receiptNumber) ?? [];
      const watchers = concerned.get(receiptNumber) ?? new Map();
      return { receiptNumber, before, own, ...afterAnswers(before, watchers, own) };
    });
    await recordStatuses(
      tx,
      schedule,
      after.flatMap(({ receiptNumber, newest, before }) =>
        newest && newest !== before ? { receiptNumber, ...newest } : [],
      ),
      await databaseTimeMs(tx, clock),
    );
    await writeWatchers(
      tx,
      after.flatMap(({ receiptNumber, watchers }) =>
        [...watchers].map(([userId, watcher]) => ({ userId, receiptNumber, watcher })),
      ),
    );
    await publishStatusChanges(
      tx,
      bus,
      after.flatMap(({ receiptNumber, own, changes }) =>
        changes.flatMap((change) => {
          const answer = own.find(({ call }) => call === change.call);
          if (!answer) return [];
          return { ...change, receiptNumber, changedAt: answer.observedAt, answerMs: answer.answerMs };
        }),
      ),
    );
  });
}
