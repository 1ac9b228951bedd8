import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import { type Answer, afterAnswers } from './watch-rules.ts';
import { publishStatusChanges, type Watching } from './watching.ts';

/** An answer of the agency about one case. */
interface CaseAnswer extends Answer {
  readonly receiptNumber: string;
  readonly observedAt: string;
  readonly answerMs?: number | undefined;
}

/**
 * Records what the agency answered, to lookups as well as checks. Changes are published in the transaction that records
 * them, once per watcher who has not seen the status yet; cases without watchers and answers that a later call has overtaken are
 * ignored.
 */
export async function recordAnswers(
  { watches, watchers, bus }: Watching,
  tx: SqlExecutor,
  answers: readonly CaseAnswer[],
): Promise<void> {
  const byReceipt = Map.groupBy(answers, ({ receiptNumber }) => receiptNumber);
  const locked = await watches.lock(tx, [...byReceipt.keys()]);
  const watched = answers.filter(({ receiptNumber }) => locked.has(receiptNumber));
  if (watched.length === 0) return;
  const concerned = await watchers.concerned(tx, watched);
  const after = [...locked].map(([receiptNumber, before]) => {
    const own = byReceipt.get(receiptNumber) ?? [];
    return {
      receiptNumber,
      before,
      own,
      ...afterAnswers(before, concerned.get(receiptNumber) ?? new Map(), own),
    };
  });
  await watches.recordStatuses(
    tx,
    after.flatMap(({ receiptNumber, newest, before }) =>
      newest && newest !== before ? { receiptNumber, ...newest } : [],
    ),
  );
  const changed = after.flatMap(({ receiptNumber, watchers }) =>
    [...watchers].map(([userId, watcher]) => ({ userId, receiptNumber, watcher })),
  );
  await watchers.write(tx, changed);
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
}
