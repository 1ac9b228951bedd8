import { createGatherer } from '@casewatch/service-kit/runtime/gatherer';
import type { Signal } from '@casewatch/service-kit/runtime/signal';
import { CallUnsent } from '../agency/agency-http.ts';
import type { AgencyResult } from '../domain/agency.ts';
import type { AgencyFailure } from '../domain/agency-failure.ts';
import type { Outcome } from '../domain/agency-queue.ts';
import { demonstrationOf, participantOf } from '../domain/lookup.ts';
import type { CallSlots } from './call-slots.ts';
import type { CallerDeps } from './caller-deps.ts';
import type { CallerSession } from './caller-session.ts';
import type { DayQuota } from './day-quota.ts';
import { type DemonstrationTurn, takeDemonstrationTurn } from './demonstration-turn.ts';
import type { Pauses } from './pauses.ts';
import { createStoreAnswers, type Storing } from './store-answers.ts';
import {
  type Answered,
  type Attempt,
  askingOf,
  newAttempt,
  type Queued,
  spentOf,
  type WaitingCases,
  type Wanted,
} from './waiting-cases.ts';

/** A call is on the wire within this time after its permit, or it is not sent. */
const SEND_WITHIN_MS = 1_000;

/** What the turns of one caller share. */
interface Sharing {
  readonly waiting: WaitingCases;
  readonly slots: CallSlots;
  readonly quota: DayQuota;
  readonly pauses: Pauses;
  readonly wake: Pick<Signal, 'notify'>;
}

/**
 * From the turn of a case to the outcome of every lookup that waits for it: one call, perhaps a second try on a turn of its own, and the
 * answer, which is stored first.
 */
export class CaseTurns {
  readonly #deps: CallerDeps;
  readonly #session: CallerSession;
  readonly #shared: Sharing;
  readonly #store: (entry: Storing) => Promise<void>;
  #lastArrivalMs = Number.NEGATIVE_INFINITY;

  constructor(deps: CallerDeps, session: CallerSession, shared: Sharing) {
    this.#deps = deps;
    this.#session = session;
    this.#shared = shared;
    this.#store = createGatherer(createStoreAnswers({ ...deps, epoch: session.epoch }));
  }

  /** When the last call arrived at the agency, by the monotonic clock. */
  lastArrivalMs(): number {
    return this.#lastArrivalMs;
  }

  putBack(one: Wanted): void {
    this.#shared.waiting.putBack(one);
    this.#shared.wake.notify();
  }

  /** Ends lookups without an answer. The calls made on the turn of one of them are reported to it, once. */
  async end(one: Wanted, lookups: readonly Queued[], outcome: Outcome): Promise<void> {
    const lookupIds = lookups.map(({ id }) => id);
    const { own } = spentOf(one.attempt);
    const isOwn = own !== undefined && lookupIds.includes(own.lookupId);
    if (isOwn) one.attempt.calls.length = 0;
    this.#shared.waiting.forget(one, lookupIds);
    const { receiptNumber } = one;
    const { epoch } = this.#session;
    await this.#deps.queue.end([{ receiptNumber, lookupIds, outcome, epoch, ...(isOwn ? { own } : {}) }]);
    this.#deps.ended.notify();
  }

  async fail(one: Wanted, lookups: readonly Queued[], failure: AgencyFailure): Promise<void> {
    if (lookups.length > 0) await this.end(one, lookups, { kind: 'failure', failure });
  }

  /** One turn of a lookup: a call for the case, if one may still be made. */
  async take(one: Wanted, payer: Queued, permit: number): Promise<void> {
    const { queue, calls, breaker, metrics, clock, fresh } = this.#deps;
    const { waiting, quota, pauses } = this.#shared;
    const { attempt } = one;
    const wanted = demonstrationOf(payer.requester);
    if (wanted) return this.#demonstrate({ one, payer, wanted, permit });
    const startedMs = clock.nowMs();
    const request = pauses.send();
    const access = await calls.token();
    attempt.agencyMs += clock.nowMs() - startedMs;
    if ('failure' in access) {
      const result = await breaker.run(askingOf(one, payer), async () => ({
        kind: 'failure',
        failure: access.failure,
      }));
      return this.#answered(one, { result, payer, sentMs: startedMs, request, callNumber: undefined }, false);
    }
    const begun = await queue.begin(this.#session.epoch, payer, fresh);
    if (!begun.waits) {
      waiting.forget(one, [payer.id]);
      return this.putBack(one);
    }
    if (begun.fresh && begun.people) return this.#endStored(one);
    const retryAfterMs = quota.msUntilCall(payer.requester);
    if (retryAfterMs > 0) {
      metrics.refused('day');
      if (attempt.first) return this.finish(one, attempt.first);
      const own = [...one.lookups.values()].filter(
        ({ requester }) => participantOf(requester) === participantOf(payer.requester),
      );
      await this.fail(one, own, { kind: 'budget-spent', retryAfterMs });
      return this.#undo(one);
    }
    const takeBack = await quota.spend(payer.requester);
    try {
      await this.#send(one, payer, permit, access.token);
    } catch (error) {
      if (!(error instanceof CallUnsent)) throw error;
      await takeBack();
      await this.#undo(one);
    }
  }

  /** Stores the answer, and answers everyone who waits for the case. */
  async finish(one: Wanted, answer: Answered): Promise<void> {
    const entry = { one, answer, ended: new Set<string>() };
    await this.#store(entry);
    this.#deps.ended.notify();
    one.attempt = newAttempt(this.#deps.timeoutMs);
    this.#shared.waiting.forget(one, entry.ended);
    // Who has joined since waits for a turn of their own.
    this.putBack(one);
  }

  async #demonstrate(turn: Omit<DemonstrationTurn, 'arrived' | 'mayBeSent'>): Promise<void> {
    const { one, payer, permit } = turn;
    const answer = await takeDemonstrationTurn(this.#deps, this.#session, this.#shared, {
      ...turn,
      arrived: () => this.#arrived(permit),
      mayBeSent: () => this.#mayBeSent(),
    });
    if (answer) return this.finish(one, answer);
    this.#shared.waiting.forget(one, [payer.id]);
    this.putBack(one);
  }

  /** From now on: asked where the bytes leave. */
  #mayBeSent(): () => boolean {
    const permitMs = performance.now();
    return () => this.#session.isProven() && performance.now() - permitMs < SEND_WITHIN_MS;
  }

  /** No call was made after all. */
  async #undo(one: Wanted): Promise<void> {
    await this.#deps.queue.undo(this.#session.epoch, one.receiptNumber);
    this.putBack(one);
  }

  /** The agency has counted the call by now, whatever came of it. */
  #arrived(permit: number): void {
    if (!this.#shared.slots.done(permit)) return;
    this.#lastArrivalMs = performance.now();
  }

  /** @throws CallUnsent where no call was made */
  async #send(one: Wanted, payer: Queued, permit: number, token: string): Promise<void> {
    const { calls, breaker, metrics, clock } = this.#deps;
    const { slots, pauses } = this.#shared;
    const session = this.#session;
    const { attempt } = one;
    // Since the permit the agency may have begun to rest or to pause.
    const asking = askingOf(one, payer);
    if (breaker.restOf(asking) || pauses.leftMs() > 0 || !slots.renew(permit)) throw new CallUnsent();
    const maySend = this.#mayBeSent();
    const sentMs = clock.nowMs();
    const request = pauses.send();
    const { source } = payer.requester;
    const callNumber = session.nextCallNumber();
    const queuedMs = Math.max(0, sentMs - payer.claimedAtMs + payer.waitedMs - attempt.agencyMs);
    let isTokenNew = false;
    const result = await breaker.run(asking, async () => {
      const call = await calls.call(
        {
          receiptNumber: one.receiptNumber,
          source,
          timeoutMs: attempt.leftMs,
          maySend,
          onHead: () => this.#arrived(permit),
        },
        token,
      );
      attempt.calls.push(call.record);
      attempt.payer = payer;
      isTokenNew = call.isTokenRefused;
      return call.result;
    });
    this.#arrived(permit);
    metrics.waited(source, queuedMs);
    const tookMs = Math.max(0, clock.nowMs() - sentMs);
    attempt.queueMs = queuedMs;
    attempt.agencyMs += tookMs;
    attempt.leftMs = Math.max(1, attempt.leftMs - tookMs);
    await this.#answered(one, { result, payer, sentMs, request, callNumber }, isTokenNew);
  }

  async #answered(one: Wanted, answer: Answered, isTokenNew: boolean): Promise<void> {
    const { clock, timeoutMs } = this.#deps;
    const { attempt } = one;
    const answeredMs = clock.nowMs();
    const applied = { ...answer, result: this.#apply(answer) };
    const again = secondTryOf(applied.result, attempt, { timeoutMs, isTokenNew });
    if (!again) return this.finish(one, applied);
    attempt.first = applied;
    attempt.isTokenRefused ||= isTokenNew;
    const { leftMs } = answer.payer;
    attempt.secondUntilMs =
      answeredMs + again.afterMs + Math.max(SECOND_TURN_WITHIN_MS, leftMs - attempt.queueMs);
    if (again.for === 'people') {
      const checks = [...one.lookups.values()].filter(({ requester }) => requester.source === 'monitor');
      if (checks.length === one.lookups.size) return this.finish(one, applied);
      if (applied.result.kind === 'failure') await this.fail(one, checks, applied.result.failure);
    }
    if (again.afterMs > 0) await clock.sleep(again.afterMs);
    this.putBack(one);
  }

  #apply({ result, request, callNumber }: Answered): Answered['result'] {
    const { pauses } = this.#shared;
    if (result.kind === 'failure') {
      const { kind } = result.failure;
      if (kind === 'rate-limited' || kind === 'quota-spent') {
        return { kind: 'failure', failure: pauses.apply(result.failure, request) };
      }
      if (kind === 'resting') return result;
    }
    if (callNumber !== undefined) pauses.over(request);
    return result;
  }

  async #endStored(one: Wanted): Promise<void> {
    // A check that has joined since has the agency asked.
    const people = [...one.lookups.values()].filter(({ requester }) => requester.source === 'user');
    await this.end(one, people, { kind: 'stored' });
    this.putBack(one);
  }
}

/** A second try needs this share of the time to be left. */
const SHARE_FOR_A_SECOND_TRY = 0.2;
/** The least time that it waits for its turn. */
export const SECOND_TURN_WITHIN_MS = 250;
const AFTER_MS = { least: 50, spread: 200 };

/** Who waits for a second try, and for how long it is put off; undefined where the answer stands. */
export interface SecondTry {
  readonly for: 'everyone' | 'people';
  readonly afterMs: number;
}

/**
 * Decides whether a call is made again. Each try waits for a turn of its own. A token may be withdrawn before its end: one
 * refusal is answered with a new token, a second one is believed.
 */
export function secondTryOf(
  result: AgencyResult,
  { first, leftMs, isTokenRefused }: Attempt,
  { timeoutMs, isTokenNew }: { timeoutMs: number; isTokenNew: boolean },
): SecondTry | undefined {
  if (leftMs < timeoutMs * SHARE_FOR_A_SECOND_TRY) return undefined;
  if (isTokenNew && !isTokenRefused) return { for: 'everyone', afterMs: 0 };
  if (first) return undefined;
  if (mayGoBetterAtOnce(result)) {
    return { for: 'everyone', afterMs: AFTER_MS.least + Math.random() * AFTER_MS.spread };
  }
  // The order stands still until the pause is over; scheduled checks come again later.
  return isRateLimited(result) ? { for: 'people', afterMs: 0 } : undefined;
}

/** What costs the agency nothing it minds: never a 404, 422 or 429. */
function mayGoBetterAtOnce(result: AgencyResult): boolean {
  return (
    result.kind === 'failure' &&
    ['unreachable', 'unavailable', 'maintenance', 'unreadable'].includes(result.failure.kind)
  );
}

function isRateLimited(result: AgencyResult): boolean {
  return result.kind === 'failure' && result.failure.kind === 'rate-limited';
}
