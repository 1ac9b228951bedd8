import { createTokenSource } from '@casewatch/service-kit/http/access-token';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Telemetry } from '@casewatch/service-kit/telemetry/telemetry';
import type { CallLease } from '@casewatch/shared-state/call-queues/call-queue';
import type {
  Agency,
  AgencyLookUp,
  AgencyResult,
  BudgetCaller,
  CallSource,
  KnownAnswer,
  RunningLookUp,
} from '../domain/agency.ts';
import { type AgencyFailure, isRefusedByBudget } from '../domain/agency-failure.ts';
import { type AgencyHttpResult, createAgencyHttp } from './agency-http.ts';
import { createAgencyMetrics } from './agency-metrics.ts';
import { createAgencyBreaker } from './breaker.ts';
import type { Budget } from './budget.ts';
import { BudgetRefusal } from './budget-refusal.ts';
import { type CallLog, createCallLog } from './call-record.ts';
import { type CallerTurns, createCallerTurns } from './caller-turns.ts';
import { createPauses } from './pauses.ts';
import { readAnswer } from './read-answer.ts';
import { readTokenReply } from './read-reply.ts';

export interface AgencyClient extends Agency {
  /** It failed so often that it is left alone for a moment. */
  isResting(): boolean;
  stop(): Promise<void>;
}

export interface AgencyClientOptions {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** For one look-up, a second try included; waiting for the budget does not count. */
  timeoutMs: number;
  /** How long the agency is left alone after failing again and again. */
  restMs: number;
  /** The longest that one look-up waits for the budget, a second try included. */
  waitMs: Readonly<Record<CallSource, number>>;
  /** Links in the agency's texts are kept to these hosts and those below them. */
  linkHosts: readonly string[];
  budget: Budget;
  clock: Clock;
  telemetry: Telemetry;
}

/** A second try needs this share of the time to be left. */
const SHARE_FOR_A_SECOND_TRY = 0.2;
const SECOND_TRY_AFTER_MS = { least: 50, spread: 200 };

/** One look-up's share of time and its log. */
interface Attempt {
  readonly receiptNumber: string;
  readonly turns: CallerTurns;
  readonly beforeCall: (() => Promise<void>) | undefined;
  readonly known: KnownAnswer | undefined;
  readonly log: CallLog;
  leftMs: number;
  /** Of the last call; 0 before the first. */
  sentMs: number;
  queueMs: number;
  agencyMs: number;
  /** The last answer was a 401. */
  tokenRefused: boolean;
}

/** The only thing in the product that speaks to the agency. */
export function createAgencyClient(options: AgencyClientOptions): AgencyClient {
  const { budget, clock, telemetry } = options;
  const http = createAgencyHttp(options.baseUrl, options.timeoutMs, telemetry);
  const metrics = createAgencyMetrics(telemetry.meter);
  const breaker = createAgencyBreaker(options.restMs);
  const pauses = createPauses(budget, clock);
  const tokens = createTokenSource(clock, requestToken);
  const stopping = new AbortController();

  async function requestToken() {
    const form = {
      grant_type: 'client_credentials',
      client_id: options.clientId,
      client_secret: options.clientSecret,
    };
    const reply = await http.send({
      method: 'POST',
      path: '/oauth/accesstoken',
      route: '/oauth/accesstoken',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      timeoutMs: options.timeoutMs,
    });
    const token = readTokenReply(reply);
    if ('failure' in token) throw new NoToken(token.failure);
    return token;
  }

  function lookUp(
    receiptNumber: string,
    caller: BudgetCaller,
    beforeCall?: () => Promise<void>,
  ): RunningLookUp {
    const turns = createCallerTurns({ budget, clock, waitMs: options.waitMs });
    turns.add(caller);
    const done = askFor({
      receiptNumber,
      turns,
      beforeCall,
      known: caller.source === 'monitor' ? caller.known : undefined,
      log: createCallLog(clock),
      leftMs: options.timeoutMs,
      sentMs: 0,
      queueMs: 0,
      agencyMs: 0,
      tokenRefused: false,
    });
    return { done, join: turns.add };
  }

  async function askFor(attempt: Attempt): Promise<AgencyLookUp> {
    const first = await tryOnce(attempt);
    const result = explain(attempt, await tryAgain(attempt, first));
    const { sentMs, queueMs, agencyMs } = attempt;
    return { result, sentMs, calls: attempt.log.calls, queueMs, agencyMs };
  }

  /** A person who gets no call because the agency accepts none today is not told that too many people ask. */
  function explain(attempt: Attempt, result: AgencyResult): AgencyResult {
    if (result.kind !== 'failure' || result.failure.kind !== 'budget-busy') return result;
    const failure = attempt.turns.source() === 'user' ? pauses.quotaFailure() : undefined;
    return failure ? { kind: 'failure', failure } : result;
  }

  /** What a second try brought, where one may help; where the budget has no call for it, what there was. */
  async function tryAgain(attempt: Attempt, first: AgencyResult): Promise<AgencyResult> {
    if (attempt.leftMs < options.timeoutMs * SHARE_FOR_A_SECOND_TRY) return first;
    if (mayGoBetterAtOnce(first)) {
      const pauseMs = SECOND_TRY_AFTER_MS.least + Math.random() * SECOND_TRY_AFTER_MS.spread;
      await clock.sleep(pauseMs, stopping.signal).catch(() => undefined);
      if (stopping.signal.aborted) return first;
    } else if (!(isRateLimited(first) && attempt.turns.source() === 'user')) {
      return first;
    }
    // After a 429 the budget holds the second try back until the pause is over, if a person waits that long.
    const second = await tryOnce(attempt);
    return second.kind === 'failure' && isRefusedByBudget(second.failure.kind) ? first : second;
  }

  async function tryOnce(attempt: Attempt): Promise<AgencyResult> {
    try {
      return await breaker.run(() => askTwiceOn401(attempt));
    } catch (error) {
      if (error instanceof BudgetRefusal) {
        const { reason, retryAfterMs } = error;
        return { kind: 'failure', failure: { kind: `budget-${reason}`, retryAfterMs } };
      }
      throw error;
    }
  }

  /** A token may be withdrawn before its end: one refusal is answered with a new token, a second one is believed. */
  async function askTwiceOn401(attempt: Attempt): Promise<AgencyResult> {
    attempt.tokenRefused = false;
    const first = await ask(attempt);
    return attempt.tokenRefused ? ask(attempt) : first;
  }

  async function ask(attempt: Attempt): Promise<AgencyResult> {
    // A request for a token takes no permit, but waits for the end of a pause as a call does.
    if (pauses.isOn() && !tokens.isAtHand()) (await waitForTurn(attempt)).release();
    const tokenAskedMs = clock.nowMs();
    let token: string;
    try {
      token = await within(attempt, () => tokens.get());
    } catch (error) {
      if (error instanceof NoToken) {
        return { kind: 'failure', failure: pauses.heed(error.failure, tokenAskedMs) };
      }
      throw error;
    }
    const lease = await takeTurn(attempt);
    const sentMs = clock.nowMs();
    attempt.sentMs = sentMs;
    const reply = await sendOnce(attempt, token, lease);
    // A later call's row would have texts of its own, those of the calls before.
    const known = attempt.log.calls.length === 0 ? attempt.known : undefined;
    const result = readAnswer(reply, attempt.receiptNumber, options.linkHosts, known);
    metrics.called(attempt.turns.source(), result);
    attempt.log.add(sentMs, reply, result, [token, options.clientSecret]);
    attempt.tokenRefused = reply.kind === 'answer' && reply.status === 401;
    if (attempt.tokenRefused) tokens.refused(token);
    if (result.kind === 'failure') {
      return { kind: 'failure', failure: pauses.heed(result.failure, sentMs) };
    }
    pauses.over(sentMs);
    return result;
  }

  function waitForTurn(attempt: Attempt): Promise<CallLease> {
    const startedMs = clock.nowMs();
    return attempt.turns.take().finally(() => {
      attempt.queueMs += Math.max(0, clock.nowMs() - startedMs);
    });
  }

  async function takeTurn(attempt: Attempt): Promise<CallLease> {
    const lease = await waitForTurn(attempt);
    try {
      await attempt.beforeCall?.();
    } catch (error) {
      lease.release();
      throw error;
    }
    if (!lease.isExpired()) return lease;
    // Something of our own was slow meanwhile: sent now, the call might meet those that have its permit next.
    lease.release();
    return takeTurn(attempt);
  }

  async function sendOnce(attempt: Attempt, token: string, lease: CallLease): Promise<AgencyHttpResult> {
    try {
      return await within(attempt, () =>
        http.send({
          method: 'GET',
          path: `/case-status/${attempt.receiptNumber}`,
          route: '/case-status/{receiptNumber}',
          headers: { authorization: `Bearer ${token}` },
          timeoutMs: attempt.leftMs,
          onHead: lease.done,
        }),
      );
    } finally {
      lease.done();
    }
  }

  async function within<T>(attempt: Attempt, work: () => Promise<T>): Promise<T> {
    const startedMs = clock.nowMs();
    try {
      return await work();
    } finally {
      const tookMs = Math.max(0, clock.nowMs() - startedMs);
      attempt.agencyMs += tookMs;
      attempt.leftMs = Math.max(1, attempt.leftMs - tookMs);
    }
  }

  return {
    lookUp,
    isResting: breaker.isOpen,
    async stop() {
      stopping.abort();
      await budget.stop();
      await http.stop();
    },
  };
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

/** Raised to everyone who waits for the same token; never leaves this file. */
class NoToken extends Error {
  readonly failure: AgencyFailure;
  constructor(failure: AgencyFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}
