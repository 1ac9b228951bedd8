import { CallUnsent } from '../agency/agency-http.ts';
import type { AgencyCase, AgencyResult } from '../domain/agency.ts';
import type { DemonstratedCall } from '../domain/agency-queue.ts';
import type { WantedDemonstration } from '../domain/lookup.ts';
import type { CallSlots } from './call-slots.ts';
import type { CallerDeps } from './caller-deps.ts';
import type { CallerSession } from './caller-session.ts';
import type { DayQuota } from './day-quota.ts';
import type { Pauses } from './pauses.ts';
import type { Answered, Queued, Wanted } from './waiting-cases.ts';

/** Sent on purpose; no agency has given it out. */
const INVALID_TOKEN = 'deliberately-invalid';

export interface DemonstrationTurn {
  readonly one: Wanted;
  readonly payer: Queued;
  readonly wanted: WantedDemonstration;
  readonly permit: number;
  /** Called when the agency has counted the call. */
  arrived(): void;
  /** Returns what is asked where the bytes leave: false where that is too late. */
  mayBeSent(): () => boolean;
}

interface Budget {
  readonly slots: CallSlots;
  readonly quota: DayQuota;
  readonly pauses: Pauses;
}

/**
 * Takes the turn of a demonstration, whose permit and call of the day are those of any lookup: a token of its own, one call, no second try.
 * What it provokes has no effect on others: it passes by the breaker and the shared token, and a 429 that is meant to come pauses no calls.
 * Resolves to undefined where its lookup has left.
 */
export async function takeDemonstrationTurn(
  deps: CallerDeps,
  session: CallerSession,
  budget: Budget,
  turn: DemonstrationTurn,
): Promise<Answered | undefined> {
  const { calls, queue, clock, fresh, metrics } = deps;
  const { payer, wanted } = turn;
  const begun = await queue.begin(session.epoch, payer, fresh);
  if (!begun.waits) return undefined;
  const startedMs = clock.nowMs();
  const uncalled = { payer, sentMs: startedMs, request: budget.pauses.send(), callNumber: undefined };
  const retryAfterMs = budget.quota.msUntilCall(payer.requester);
  if (retryAfterMs > 0) {
    metrics.refused('day');
    return { ...uncalled, result: { kind: 'failure', failure: { kind: 'budget-spent', retryAfterMs } } };
  }
  const access = wanted.case === 'unauthorized' ? { token: INVALID_TOKEN } : await calls.demonstrateToken();
  const demonstrated: DemonstratedCall = 'exchange' in access ? { token: access.exchange } : {};
  if ('failure' in access) {
    return { ...uncalled, demonstrated, result: { kind: 'failure', failure: access.failure } };
  }
  const takeBack = await budget.quota.spend(payer.requester);
  try {
    const { status, ...answer } = await send(deps, session, budget, turn, { token: access.token, startedMs });
    return { ...answer, payer, demonstrated: { ...demonstrated, ...status } };
  } catch (error) {
    if (!(error instanceof CallUnsent)) throw error;
    await takeBack();
    return { ...uncalled, demonstrated, result: { kind: 'failure', failure: { kind: 'budget-busy' } } };
  }
}

/** @throws CallUnsent where no call was made: a pause has begun, or the token came so late that the permit has expired */
async function send(
  { calls, clock, timeoutMs }: CallerDeps,
  session: CallerSession,
  { slots, pauses }: Budget,
  { one, payer, wanted, permit, arrived, mayBeSent }: DemonstrationTurn,
  { token, startedMs }: { token: string; startedMs: number },
) {
  if (pauses.leftMs() > 0 || !slots.renew(permit)) throw new CallUnsent();
  const sentMs = clock.nowMs();
  const request = pauses.send();
  const callNumber = session.nextCallNumber();
  const leftMs = Math.max(1, timeoutMs - (sentMs - startedMs));
  const { receiptNumber } = wanted;
  const { exchange, result, record } = await calls.demonstrateStatus(
    { receiptNumber, timeoutMs: leftMs, maySend: mayBeSent(), onHead: arrived },
    token,
  );
  arrived();
  // They are logged with the outcome, and keep the call from being made again where that cannot be stored.
  one.attempt.calls.push(record);
  one.attempt.payer = payer;
  one.attempt.queueMs = Math.max(0, startedMs - payer.claimedAtMs + payer.waitedMs);
  one.attempt.agencyMs = Math.max(0, clock.nowMs() - startedMs);
  const fields = result.kind === 'case' ? { fields: fieldsOf(result.case) } : {};
  return {
    sentMs,
    request,
    callNumber,
    result: wanted.case === 'throttled' ? result : applyPause(result, request, pauses),
    status: { status: exchange, ...fields },
  };
}

/** A 429 that was not provoked on purpose pauses calls, as in any lookup. */
function applyPause(result: AgencyResult, request: number, pauses: Pauses): AgencyResult {
  if (result.kind !== 'failure') return result;
  const { kind } = result.failure;
  if (kind !== 'rate-limited' && kind !== 'quota-spent') return result;
  return { kind: 'failure', failure: pauses.apply(result.failure, request) };
}

function fieldsOf({ history, links, linksEs, isWholeHistory, ...facts }: AgencyCase): Record<string, string> {
  const texts = Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const [newest] = history;
  return {
    ...Object.fromEntries(texts),
    history: newest
      ? `${history.length}, the newest: ${newest.status} (${newest.date ?? 'no date'})`
      : 'none',
  };
}
