import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import type { Signal } from '@casewatch/service-kit/runtime/signal';
import { isSampled, type OpenSpan } from '@casewatch/service-kit/telemetry/tracing';
import type { AgencyFailure } from '../domain/agency-failure.ts';
import { type QueuedLookup, toBroken } from '../domain/agency-queue.ts';
import { createCallPace, createCallSlots } from './call-slots.ts';
import type { CallerDeps } from './caller-deps.ts';
import type { CallerSession } from './caller-session.ts';
import { createCaseTurns } from './case-turns.ts';
import type { DayQuota } from './day-quota.ts';
import type { Pauses } from './pauses.ts';
import { createWaitingCases, newAttempt, type Queued, type Wanted } from './waiting-cases.ts';

/** The queue is read so often while there is work, and without; at once on a hint of this process. */
const READ_EVERY_MS = { busy: 25, idle: 100 };
/** Work is followed by more: the next lookup of another process need not wait for a look of an idle caller. */
const BUSY_FOR_MS = 1_000;
/** After so many rests without a connection another process is let try. */
const UNREACHABLE_RESTS = 3;
/** When to try again what our own database did not let through. */
const RETRY_MS = 500;

export type AgencyCaller = ReturnType<typeof createAgencyCaller>;

/**
 * Calls the agency for everyone who waits in the queue, in fair order and within the budget, as long as this process has the
 * session. Lookups of the same case wait for the same call. What is learned is stored before anyone is answered.
 */
export function createAgencyCaller(
  deps: CallerDeps,
  session: CallerSession,
  { quota, pauses, wake }: { quota: DayQuota; pauses: Pauses; wake: Signal },
) {
  const { queue, breaker, metrics, clock, logger, rule, timeoutMs } = deps;
  const waiting = createWaitingCases({
    share: rule.scheduledShare,
    lead: rule.scheduledShare * rule.calls,
    weights: deps.weights,
    timeoutMs,
  });
  const time = clock.databaseNowMs ?? (() => performance.now());
  const slots = createCallSlots(time, rule);
  const pace = createCallPace(time, rule);
  const turns = createCaseTurns(deps, session, { waiting, slots, quota, pauses, wake });
  const running = new Set<Promise<void>>();
  let permits = 0;
  let lastWorkMs = Number.NEGATIVE_INFINITY;

  /** Whose calls of the day are spent takes no turn from others; those who ask for a case that others wait for share their call. */
  function enter(lookup: QueuedLookup): void {
    const { one, queued } = waiting.enter(lookup, clock.nowMs());
    if (one.isBusy || one.lookups.size > 1) return;
    const retryAfterMs = quota.msUntilCall(lookup.requester);
    if (retryAfterMs === 0) return;
    metrics.refused('day');
    run(turns.fail(one, [queued], { kind: 'budget-spent', retryAfterMs }), one);
  }

  /**
   * Has the loop go on beside the work. While our own database is unavailable, everyone waits for a turn again; where the agency has
   * answered, they fail: it is not to be asked again and again for what cannot be stored.
   */
  function run(work: Promise<void>, one: Wanted): void {
    const done = work
      .catch(async (error: unknown) => {
        logger.error({ err: error }, 'agency caller: a case could not be answered');
        if (!isUnavailable(error) || one.attempt.calls.length > 0) {
          await turns.end(one, [...one.lookups.values()], toBroken(error)).catch(() => undefined);
        }
        if (isUnavailable(error)) await realMs(RETRY_MS);
        one.attempt = newAttempt(timeoutMs);
        turns.putBack(one);
      })
      .finally(() => {
        running.delete(done);
        wake.notify();
      });
    running.add(done);
  }

  /** Gives out the permits that are free. */
  function grant(): void {
    const restMs = breaker.restLeftMs();
    const heldMs = pauses.leftMs();
    for (const one of waiting.idle()) {
      const over = [...one.lookups.values()].filter(isOver).map(({ id }) => id);
      if (!one.attempt.first) waiting.forget(one, over);
      endInVain(one, restMs, heldMs);
    }
    if (restMs !== undefined || heldMs > 0) return;
    while (session.isProven() && slots.free() > 0) {
      const next = waiting.next(pace);
      if (!next) return;
      grantTo(next.one, next.payer);
    }
  }

  /** Its process gives a lookup up by itself whose turn has not come in time; it must not take the turn of another one. */
  function isOver({ claimedAtMs, leftMs }: Queued): boolean {
    return clock.nowMs() > claimedAtMs + leftMs;
  }

  function grantTo(one: Wanted, payer: Queued): void {
    permits += 1;
    const permit = permits;
    slots.use(permit);
    const span = openSpan(payer);
    const traced = span ? { ...payer, span } : payer;
    const begin = () => turns.take(one, traced, permit);
    const work = (span ? span.run(begin) : begin()).finally(() => {
      slots.release(permit);
      span?.end();
    });
    run(work, one);
  }

  /** The loop belongs to no trace: a turn continues that of its lookup. */
  function openSpan({ requester }: Queued): OpenSpan | undefined {
    const { traceparent } = requester.lookup;
    if (!deps.tracing.on || !isSampled(traceparent)) return undefined;
    return deps.tracing.open({ name: 'take a turn at the agency', kind: 'internal', parent: traceparent });
  }

  /** Ends those for whom no call can be made in time: the agency is left alone, or pauses for longer than they wait. */
  function endInVain(one: Wanted, restMs: number | undefined, heldMs: number): void {
    const now = clock.nowMs();
    const { first, secondUntilMs } = one.attempt;
    if (first) {
      if (restMs === undefined && now + heldMs <= secondUntilMs) return;
      waiting.setBusy(one);
      run(turns.finish(one, first), one);
      return;
    }
    if (restMs === undefined && heldMs === 0) return;
    const isInVain = ({ claimedAtMs, leftMs }: Queued) =>
      restMs !== undefined || claimedAtMs + leftMs < now + heldMs;
    const inVain = [...one.lookups.values()].filter(isInVain);
    if (inVain.length === 0) return;
    const failure: AgencyFailure =
      restMs === undefined
        ? { kind: 'budget-busy', retryAfterMs: heldMs }
        : { kind: 'resting', retryAfterMs: restMs };
    waiting.setBusy(one);
    const isCheck = ({ requester }: Queued) => requester.source === 'monitor';
    const people = restMs === undefined ? (pauses.quotaFailure() ?? failure) : failure;
    const ends = [
      turns.fail(
        one,
        inVain.filter((lookup) => !isCheck(lookup)),
        people,
      ),
      turns.fail(one, inVain.filter(isCheck), failure),
    ];
    run(
      Promise.all(ends).then(() => turns.putBack(one)),
      one,
    );
  }

  /** Until there may be something to do: a hint, the next look at the queue, a permit. */
  async function untilNews(): Promise<void> {
    const enough = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    // Real time: other processes write to the queue.
    const nowMs = performance.now();
    if (waiting.size() > 0) lastWorkMs = nowMs;
    const isBusy = nowMs - lastWorkMs < BUSY_FOR_MS;
    const timer = setTimeout(resolve, isBusy ? READ_EVERY_MS.busy : READ_EVERY_MS.idle);
    if (waiting.waiting() > 0) {
      const permitMs = slots.free() > 0 ? pace.msUntilDue() : slots.msUntilNews();
      clock.sleep(Math.max(1, pauses.leftMs(), permitMs), enough.signal).then(resolve, () => undefined);
    }
    await wake.wait(promise);
    clearTimeout(timer);
    enough.abort();
  }

  return {
    /**
     * Calls until `stopping` aborts, or another process had better do so: this one has not reached the agency for three rests.
     * @throws when the queue cannot be read, or the session is lost
     */
    async call(stopping: AbortSignal): Promise<void> {
      let isFirst = true;
      while (!stopping.aborted) {
        session.lost.throwIfAborted();
        if (breaker.unreachableRests() >= UNREACHABLE_RESTS && (await session.hasStandBy())) return;
        for (const lookup of await queue.claim(session.epoch, isFirst)) enter(lookup);
        isFirst = false;
        grant();
        await untilNews();
      }
    },
    /** Resolves when what was sent has arrived, and a window has passed since: then another process may call. */
    async allArrived(): Promise<void> {
      const sinceMs = performance.now();
      while (slots.inFlight() > 0 && performance.now() - sinceMs < rule.leaseMs) await realMs(10);
      await realMs(turns.lastArrivalMs() + rule.windowMs - performance.now());
    },
    /** Resolves when every answer is stored. */
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running);
    },
    /** Cases that are waited for. */
    size: waiting.size,
  };
}

const realMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
