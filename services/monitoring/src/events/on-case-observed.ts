import { caseObserved } from '@casewatch/contracts/events';
import { defineBatchHandler, type EventHandler } from '@casewatch/messaging/event-bus';
import { recordAnswers } from '../domain/record-answers.ts';
import type { Watching } from '../domain/watching.ts';

/** Records what the agency answered, in batches. */
export function onCaseObserved(watching: Watching): EventHandler {
  return defineBatchHandler('monitoring', caseObserved, (events, tx) => {
    const answers = events.map(({ payload }) => ({ ...payload, call: BigInt(payload.callNumber) }));
    return recordAnswers(watching, tx, answers);
  });
}
