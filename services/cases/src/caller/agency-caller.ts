import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import type { Signal } from '@casewatch/service-kit/runtime/signal';
import { isSampled, type OpenSpan } from '@casewatch/service-kit/telemetry/tracing';
import type { AgencyFailure } from '../domain/agency-failure.ts';
import { type QueuedLookup, toBroken } from '../domain/agency-queue.ts';
import { demonstrationOf } from '../domain/lookup.ts';
import { type CallPace, type CallSlots, createCallPace, createCallSlots } from './call-slots.ts';
import type { CallerDeps } from './caller-deps.ts';
import type { CallerSession } from './caller-session.ts';
import { CaseTurns } from './case-turns.ts';
import type { DayQuota } from './day-quota.ts';
import type { Pauses } from './pauses.ts';
import {
  askingOf,
  createWaitingCases,
  newAttempt,
  type Queued,
  type WaitingCases,
  type Wanted,
} from './waiting-cases.ts';

/** How often the queue is read with and without work; at once on a signal of this process. */
const READ_EVERY_MS = { busy: 25, idle: 100 };
/** Work is followed by more: the next lookup of another process need not wait for a look of an idle caller. */
const BUSY_FOR_MS = 1_000;
/** After this number of rests without a connection another process may try. */
const UNCONNECTED_RESTS = 3;
/** When to try again what our own database did not let through. */
const RETRY_MS = 500;

/**
 * Calls the agency for everyone who waits in the queue, in fair order and within the budget, as long as this process has the
 * session. Lookups of the same case wait for the same call. What is learned is stored before anyone is answered.
 */
export class AgencyCaller {
  readonly #deps: CallerDeps;
  readonly #session: CallerSession;
  readonly #quota: DayQuota;
  readonly #pauses: Pauses;
  readonly #wake: Signal;
  readonly #waiting: WaitingCases;
  readonly #slots: CallSlots;
  readonly #pace: CallPace;
  readonly #turns: CaseTurns;
  readonly #running = new Set<Promise<void>>();
  #permits = 0;
  #lastWorkMs = Number.NEGATIVE_INFINITY;

  constructor(
    deps: CallerDeps,
    session: CallerSession,
    { quota, pauses, wake }: { quota: DayQuota; pauses: Pauses; wake: Signal },
  ) {
    const { clock, rule, weights, timeoutMs } = deps;
    this.#deps = deps;
    this.#session = session;
    this.#quota = quota;
    this.#pauses = pauses;
    this.#wake = wake;
    this.#waiting = createWaitingCases({
      share: rule.scheduledShare,
      lead: rule.scheduledShare * rule.calls,
      weights,
      timeoutMs,
    });
    const time = clock.databaseNowMs ?? (() => performance.now());
    this.#slots = createCallSlots(time, rule);
    this.#pace = createCallPace(time, rule);
    const shared = { waiting: this.#waiting, slots: this.#slots, quota, pauses, wake };
    this.#turns = new CaseTurns(deps, session, shared);
  }

  /**
   * Calls until `stopping` aborts, or another process had better do so: this one has not reached the agency for three rests.
   * @throws when the queue cannot be read, or the session is lost
   */
  async call(stopping: AbortSignal): Promise<void> {
    const { breaker, queue } = this.#deps;
    const session = this.#session;
    let isFirst = true;
    while (!stopping.aborted) {
      session.lost.throwIfAborted();
      if (breaker.unconnectedRests() >= UNCONNECTED_RESTS && (await session.hasStandBy())) return;
      for (const lookup of await queue.claim(session.epoch, isFirst)) this.#enter(lookup);
      isFirst = false;
      this.#grant();
      await this.#untilDueOrSignaled();
    }
  }

  /** Resolves when what was sent has arrived, and a window has passed since: then another process may call. */
  async allArrived(): Promise<void> {
    const { leaseMs, windowMs } = this.#deps.rule;
    const sinceMs = performance.now();
    while (this.#slots.inFlight() > 0 && performance.now() - sinceMs < leaseMs) await realMs(10);
    await realMs(this.#turns.lastArrivalMs() + windowMs - performance.now());
  }

  /** Resolves when every answer is stored. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** Cases that are waited for. */
  size(): number {
    return this.#waiting.size();
  }

  /** Whose calls of the day are spent takes no turn from others; those who ask for a case that others wait for share their call. */
  #enter(lookup: QueuedLookup): void {
    const { one, queued } = this.#waiting.enter(lookup, this.#deps.clock.nowMs());
    if (one.isBusy || one.lookups.size > 1) return;
    const retryAfterMs = this.#quota.msUntilCall(lookup.requester);
    if (retryAfterMs === 0) return;
    this.#deps.metrics.refused('day');
    this.#run(this.#turns.fail(one, [queued], { kind: 'budget-spent', retryAfterMs }), one);
  }

  /**
   * Keeps the loop running during the work. While our own database is unavailable, everyone waits for a turn again; where the agency has
   * answered, they fail: it is not to be asked again and again for what cannot be stored.
   */
  #run(work: Promise<void>, one: Wanted): void {
    const done = work
      .catch(async (error: unknown) => {
        this.#deps.logger.error({ err: error }, 'agency caller: a case could not be answered');
        if (!isUnavailable(error) || one.attempt.calls.length > 0) {
          await this.#turns.end(one, [...one.lookups.values()], toBroken(error)).catch(() => undefined);
        }
        if (isUnavailable(error)) await realMs(RETRY_MS);
        one.attempt = newAttempt(this.#deps.timeoutMs);
        this.#turns.putBack(one);
      })
      .finally(() => {
        this.#running.delete(done);
        this.#wake.notify();
      });
    this.#running.add(done);
  }

  /** Gives out the permits that are free. */
  #grant(): void {
    const heldMs = this.#pauses.leftMs();
    for (const one of this.#waiting.idle()) {
      const over = [...one.lookups.values()].filter((lookup) => this.#isOver(lookup)).map(({ id }) => id);
      if (!one.attempt.first) this.#waiting.forget(one, over);
      this.#endInVain(one, heldMs);
    }
    if (heldMs > 0) return;
    while (this.#session.isProven() && this.#slots.free() > 0) {
      const next = this.#waiting.next(this.#pace);
      if (!next) return;
      this.#grantTo(next.one, next.payer);
    }
  }

  /** Its process gives a lookup up by itself whose turn has not come in time; it must not take the turn of another one. */
  #isOver({ claimedAtMs, leftMs }: Queued): boolean {
    return this.#deps.clock.nowMs() > claimedAtMs + leftMs;
  }

  #grantTo(one: Wanted, payer: Queued): void {
    this.#permits += 1;
    const permit = this.#permits;
    this.#slots.use(permit);
    const span = this.#openSpan(payer);
    const traced = span ? { ...payer, span } : payer;
    const begin = () => this.#turns.take(one, traced, permit);
    const work = (span ? span.run(begin) : begin()).finally(() => {
      this.#slots.release(permit);
      span?.end();
    });
    this.#run(work, one);
  }

  /** The loop belongs to no trace: a turn continues that of its lookup. */
  #openSpan({ requester }: Queued): OpenSpan | undefined {
    const { tracing } = this.#deps;
    const { traceparent } = requester.lookup;
    if (!tracing.on || !isSampled(traceparent)) return undefined;
    return tracing.open({ name: 'take a turn at the agency', kind: 'internal', parent: traceparent });
  }

  /** Ends those for whom no call can be made in time: the agency is left alone, or pauses for longer than they wait. */
  #endInVain(one: Wanted, heldMs: number): void {
    const { breaker } = this.#deps;
    const { first, secondUntilMs } = one.attempt;
    if (first) {
      if (!breaker.restOf(askingOf(one, first.payer)) && this.#deps.clock.nowMs() + heldMs <= secondUntilMs)
        return;
      this.#waiting.setBusy(one);
      this.#run(this.#turns.finish(one, first), one);
      return;
    }
    const inVain = [...one.lookups.values()].flatMap((lookup) => {
      const rest = demonstrationOf(lookup.requester) ? undefined : breaker.restOf(askingOf(one, lookup));
      const failure = rest ?? this.#pauseFailure(lookup, heldMs);
      return failure ? [{ lookup, failure }] : [];
    });
    if (inVain.length === 0) return;
    this.#waiting.setBusy(one);
    const ends = [...Map.groupBy(inVain, ({ failure }) => failure.kind).values()].map((same) => {
      const lookups = same.map(({ lookup }) => lookup);
      return same[0] && this.#turns.fail(one, lookups, same[0].failure);
    });
    this.#run(
      Promise.all(ends).then(() => this.#turns.putBack(one)),
      one,
    );
  }

  #pauseFailure({ requester, claimedAtMs, leftMs }: Queued, heldMs: number): AgencyFailure | undefined {
    if (heldMs === 0 || claimedAtMs + leftMs >= this.#deps.clock.nowMs() + heldMs) return undefined;
    const failure = this.#pauses.quotaFailure() ?? { kind: 'rate-limited', retryAfterMs: heldMs };
    // Checks find out when the quota is there again.
    return requester.source === 'monitor' ? { ...failure, retryAfterMs: heldMs } : failure;
  }

  /** Until there may be something to do: a hint, the next look at the queue, a permit. */
  async #untilDueOrSignaled(): Promise<void> {
    const enough = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    // Real time: other processes write to the queue.
    const nowMs = performance.now();
    if (this.#waiting.size() > 0) this.#lastWorkMs = nowMs;
    const isBusy = nowMs - this.#lastWorkMs < BUSY_FOR_MS;
    const timer = setTimeout(resolve, isBusy ? READ_EVERY_MS.busy : READ_EVERY_MS.idle);
    if (this.#waiting.waiting() > 0) {
      const permitMs = this.#slots.free() > 0 ? this.#pace.msUntilDue() : this.#slots.msUntilChange();
      const waitMs = Math.max(1, this.#pauses.leftMs(), permitMs);
      this.#deps.clock.sleep(waitMs, enough.signal).then(resolve, () => undefined);
    }
    await this.#wake.wait(promise);
    clearTimeout(timer);
    enough.abort();
  }
}

const realMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
