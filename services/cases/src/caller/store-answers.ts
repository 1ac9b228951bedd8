import { maskReceiptNumber } from '@casewatch/contracts/receipt-number';
import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import type { AgencyResult, AnsweredCall } from '../domain/agency.ts';
import { isRefusedByBudget } from '../domain/agency-failure.ts';
import { type End, type Outcome, toBroken } from '../domain/agency-queue.ts';
import { type CaseAnswer, type LookUpRecord, toObservationRows } from '../domain/case-store.ts';
import { askedEnding, demonstrationOf, endLookup } from '../domain/lookup.ts';
import type { CallerDeps } from './caller-deps.ts';
import { type Answered, spentOf, type Wanted } from './waiting-cases.ts';

/** An answer to be stored, and the lookups that it has ended. */
export interface Storing {
  readonly one: Wanted;
  readonly answer: Answered;
  readonly ended: Set<string>;
}

/** Stores answers with their events and outcomes in one transaction. What the database refuses is stored alone, and fails alone. */
export function createStoreAnswers({
  cases,
  queue,
  clock,
  logger,
  epoch,
}: Pick<CallerDeps, 'cases' | 'queue' | 'clock' | 'logger'> & { epoch: number }) {
  async function storeTogether(all: readonly Storing[]): Promise<void> {
    const ended = await cases.record(all.map(toRecord));
    for (const { one, ended: own } of all) {
      for (const id of one.lookups.keys()) if (ended.has(id)) own.add(id);
    }
  }

  async function storeAlone(storing: Storing): Promise<void> {
    try {
      await storeTogether([storing]);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      const { receiptNumber, attempt } = storing.one;
      logger.error(
        { err: error, receiptNumber: maskReceiptNumber(receiptNumber) },
        'an answer cannot be stored',
      );
      const outcome = toBroken(error);
      const broken: End = { receiptNumber, lookupIds: null, outcome, epoch, ...spentOf(attempt) };
      for (const id of (await queue.end([broken])).keys()) storing.ended.add(id);
    }
  }

  function toRecord({ one, answer: answered }: Storing): LookUpRecord {
    const { result, payer, sentMs, callNumber } = answered;
    const { attempt } = one;
    const { requester } = payer;
    const demonstration = demonstrationOf(requester);
    const receiptNumber = demonstration?.receiptNumber ?? one.receiptNumber;
    const nowMs = clock.nowMs();
    // By the clock of the process that asked: the two may differ.
    const endedAtMs = requester.lookup.startedAtMs + Math.max(0, nowMs - payer.claimedAtMs + payer.waitedMs);
    const spent = { calls: attempt.calls, queueMs: attempt.queueMs, agencyMs: attempt.agencyMs };
    const isLogged = attempt.calls.length > 0;
    publish(receiptNumber, answered);
    const answer =
      callNumber === undefined || (demonstration && result.kind !== 'case')
        ? undefined
        : toAnswer(result, {
            receiptNumber,
            callNumber: String(callNumber),
            sentMs,
            agoMs: Math.max(0, nowMs - sentMs),
          });
    const end: End = {
      receiptNumber: one.receiptNumber,
      lookupIds: null,
      outcome: toOutcome(answered),
      ...(answer ? {} : { epoch }),
      ...(isLogged ? { own: { lookupId: payer.id, isLogged } } : {}),
    };
    const ended = endLookup(receiptNumber, requester, askedEnding(result, false), endedAtMs, spent);
    return {
      requester,
      end,
      ended: isLogged ? ended : undefined,
      ...(answer ? { answer } : {}),
      ...(payer.span ? { inTrace: payer.span.run } : {}),
    };
  }

  function publish(receiptNumber: string, { result, payer }: Answered): void {
    if (result.kind !== 'failure' || demonstrationOf(payer.requester)) return;
    const { kind, detail } = result.failure;
    const { source } = payer.requester;
    // While more checks are due than there are calls, that is nothing to talk about.
    if (source === 'monitor' && isRefusedByBudget(kind)) return;
    logger.warn(
      { receiptNumber: maskReceiptNumber(receiptNumber), source, kind, detail },
      'the agency gave no status',
    );
  }

  return async (all: readonly Storing[]): Promise<void> => {
    try {
      await storeTogether(all);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      for (const one of all) await storeAlone(one);
    }
  };
}

/** A failure says nothing about the case. */
function toAnswer(result: AgencyResult, call: AnsweredCall): CaseAnswer | undefined {
  if (result.kind === 'case') return { call, says: toObservationRows(result.case, call) };
  if (result.kind === 'not-recognized') {
    return { call, says: 'not-recognized', agencyMessage: result.agencyMessage };
  }
  return result.failure.kind === 'refused' ? { call, says: 'refused' } : undefined;
}

function toOutcome({ result, demonstrated }: Answered): Outcome {
  const outcome = result.kind === 'case' ? { kind: result.kind } : result;
  return demonstrated ? { ...outcome, demonstrated } : outcome;
}
