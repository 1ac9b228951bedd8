import { createSignal } from '@casewatch/service-kit/runtime/signal';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { pino } from 'pino';
import { vi } from 'vitest';
import { CallUnsent } from '../src/agency/agency-http.ts';
import { AgencyCaller } from '../src/caller/agency-caller.ts';
import type { AgencyCalls, CallResult, StatusCall } from '../src/caller/agency-calls.ts';
import { createAgencyBreaker } from '../src/caller/breaker.ts';
import type { CallerDeps } from '../src/caller/caller-deps.ts';
import { createPauses } from '../src/caller/pauses.ts';
import type { AgencyCase, AgencyResult } from '../src/domain/agency.ts';
import type { AgencyFailure, FailureKind } from '../src/domain/agency-failure.ts';
import type { CallerQueue, End, Outcome } from '../src/domain/agency-queue.ts';
import type { CaseStore, LookUpRecord } from '../src/domain/case-store.ts';
import type { Requester } from '../src/domain/lookup.ts';

export const RULE = { calls: 5, windowMs: 1_001, leaseMs: 2_000, scheduledShare: 0.5 };
export const TIMEOUT_MS = 1_500;
export const REST_MS = 3_000;
const EPOCH_CALLS = 1_000_000_000n;

/** What the agency does with a call. */
export interface Reply {
  readonly says: 'case' | 'not-recognized' | FailureKind | '401';
  /** The head of the answer comes after this time; without a head, the failure. */
  readonly ms: number;
  /** The call arrives at this part of that time. */
  readonly arrives: number;
  /** From the call of the port to the bytes. */
  readonly connectMs?: number;
}

interface Row {
  readonly id: string;
  readonly receiptNumber: string;
  readonly requester: Requester;
  readonly joinedMs: number;
  readonly untilMs: number;
  epoch: number | null;
  turn: 'own' | 'shared' | null;
  outcome: Outcome | null;
  /** How often it was given an outcome. */
  outcomes: number;
}

export interface Stored {
  readonly receiptNumber: string;
  readonly callNumber: bigint;
  readonly status: string;
  readonly description: string;
}

export type Story = ReturnType<typeof createStory>;

/** The queue and the store in memory, a scripted agency, and any number of callers, one after the other. Time is vitest's. */
export function createStory() {
  const rows = new Map<string, Row>();
  const stored: Stored[] = [];
  const ended: LookUpRecord['ended'][] = [];
  const calls: { receiptNumber: string; sentMs: number; arrivedMs: number; endedMs: number }[] = [];
  const spends: string[] = [];
  const ofDay = { left: Number.POSITIVE_INFINITY };
  const tokens: { failure: AgencyFailure | undefined } = { failure: undefined };
  const fresh = new Set<string>();
  const database: { broken: Error | undefined; refuses: string | undefined; ms: number } = {
    broken: undefined,
    refuses: undefined,
    ms: 0,
  };
  const agency: { reply: (receiptNumber: string, nth: number) => Reply } = {
    reply: () => ({ says: 'case', ms: 100, arrives: 0.5 }),
  };
  const wake = createSignal();
  const clock = { nowMs: () => Date.now(), sleep };
  let epoch = 100;

  async function inDatabase(): Promise<void> {
    if (database.ms > 0) await sleep(database.ms);
    if (database.broken) throw database.broken;
  }

  function endNow(ends: readonly End[]): Map<string, boolean> {
    const all = new Map<string, boolean>();
    for (const { receiptNumber, lookupIds, outcome, own, epoch: of } of ends) {
      for (const row of rows.values()) {
        if (row.receiptNumber !== receiptNumber || row.outcome) continue;
        if (lookupIds && !lookupIds.includes(row.id)) continue;
        if (of !== undefined && (row.epoch ?? epoch) !== of) continue;
        const { lookupId, ...more } = own ?? {};
        row.outcome = row.id === lookupId ? { ...outcome, ...more } : outcome;
        row.outcomes += 1;
        all.set(row.id, false);
      }
    }
    return all;
  }

  const queue: CallerQueue = {
    async claim(of, isFirst) {
      await inDatabase();
      if (of !== epoch) return [];
      const claimed = [...rows.values()].filter(
        (row) => !row.outcome && row.epoch !== of && (isFirst || row.epoch === null),
      );
      return claimed.map((row) => {
        row.epoch = of;
        if (isFirst) row.turn = null;
        const { id, receiptNumber, requester, joinedMs, untilMs } = row;
        return {
          id,
          receiptNumber,
          requester,
          waitedMs: Date.now() - joinedMs,
          leftMs: untilMs - Date.now(),
        };
      });
    },
    async begin(of, { id, receiptNumber }) {
      await inDatabase();
      const own = rows.get(id);
      if (!own || of !== epoch) return { waits: false, people: false, fresh: false };
      const waiting = [...rows.values()].filter((row) => row.receiptNumber === receiptNumber && !row.outcome);
      for (const row of waiting) row.turn = row === own ? 'own' : 'shared';
      if (own.outcome) return { waits: false, people: false, fresh: false };
      const people = waiting.every(({ requester }) => requester.source === 'user');
      return { waits: true, people, fresh: fresh.has(receiptNumber) };
    },
    async undo(of, receiptNumber) {
      await inDatabase();
      if (of !== epoch) return;
      for (const row of rows.values())
        if (row.receiptNumber === receiptNumber && !row.outcome) row.turn = null;
    },
    async end(ends) {
      await inDatabase();
      return endNow(ends);
    },
    sweep: async () => undefined,
  };

  const cases: CaseStore = {
    find: async () => undefined,
    recordLookups: async () => undefined,
    async record(records) {
      await inDatabase();
      for (const { answer } of records) {
        if (answer && answer.call.receiptNumber === database.refuses) throw new Error('not taken');
      }
      for (const record of records) {
        ended.push(record.ended);
        if (!record.answer) continue;
        const { call, says } = record.answer;
        const { receiptNumber } = call;
        const { status, description } =
          typeof says === 'string' ? { status: says, description: '' } : says.snapshot;
        stored.push({ receiptNumber, callNumber: BigInt(call.callNumber), status, description });
      }
      return endNow(records.map(({ end }) => end));
    },
  };

  function agencyCalls(): CallerDeps['calls'] {
    return {
      ...NO_DEMONSTRATIONS,
      async token() {
        return tokens.failure ? { failure: tokens.failure } : { token: 'token' };
      },
      async call(call: StatusCall): Promise<CallResult> {
        const { receiptNumber } = call;
        const { says, ms, arrives, connectMs = 0 } = agency.reply(receiptNumber, calls.length);
        if (connectMs > 0) await sleep(connectMs);
        if (!call.maySend()) throw new CallUnsent();
        const sentMs = performance.now();
        const nth = calls.length;
        calls.push({
          receiptNumber,
          sentMs,
          arrivedMs: sentMs + arrives * Math.min(ms, call.timeoutMs),
          endedMs: sentMs + Math.min(ms, call.timeoutMs),
        });
        const result = ms > call.timeoutMs ? failed('timeout') : toResult(receiptNumber, says, nth);
        await sleep(Math.min(ms, call.timeoutMs));
        if (result.kind !== 'failure' || !['timeout', 'unreachable'].includes(result.failure.kind))
          call.onHead();
        const record = { statusCode: 200, code: undefined, response: says, durationMs: ms };
        return { result, record, isTokenRefused: says === '401' };
      },
      stop: async () => undefined,
    };
  }

  return {
    rows,
    stored,
    ended,
    calls,
    spends,
    ofDay,
    tokens,
    fresh,
    database,
    agency,
    queue,
    cases,
    sleep,
    /** A lookup joins the queue. */
    join(receiptNumber: string, requester: Requester, waitMs = 4_000): string {
      const now = Date.now();
      const { id } = requester.lookup;
      rows.set(id, {
        id,
        receiptNumber,
        requester,
        joinedMs: now,
        untilMs: now + waitMs,
        epoch: null,
        turn: null,
        outcome: null,
        outcomes: 0,
      });
      wake.notify();
      return id;
    },
    /** A client disconnects. */
    leave(id: string): void {
      if (rows.get(id)?.turn !== 'own' && !rows.get(id)?.outcome) rows.delete(id);
    },
    outcome: (id: string) => rows.get(id)?.outcome,
    /** A process becomes the caller. */
    start(rule: Partial<typeof RULE> = {}) {
      epoch += 1;
      const own = epoch;
      const lost = new AbortController();
      const stopping = new AbortController();
      const proven = { is: true };
      let numbered = 0n;
      const breaker = createAgencyBreaker(REST_MS, clock);
      const pauses = createPauses(
        clock,
        () => 86_400_000 - (Date.now() % 86_400_000),
        () => undefined,
      );
      const caller = new AgencyCaller(
        {
          queue,
          cases,
          breaker,
          clock,
          calls: agencyCalls(),
          metrics: { waited: () => undefined, refused: () => undefined, became: () => undefined },
          ended: { notify: () => undefined },
          logger: pino({ level: 'silent' }),
          tracing: noTracing,
          rule: { ...RULE, ...rule },
          weights: { free: 1, pro: 4 },
          fresh: { freshMs: 60_000, notRecognizedMs: 60_000 },
          timeoutMs: TIMEOUT_MS,
        },
        {
          epoch: own,
          pause: { leftMs: 0, inARow: 0, quotaSpentMs: 0 },
          beginInMs: 0,
          lost: lost.signal,
          isProven: () => proven.is && !lost.signal.aborted,
          nowMs: () => Date.now(),
          nextCallNumber() {
            numbered += 1n;
            return BigInt(own) * EPOCH_CALLS + numbered;
          },
          storePause: async () => undefined,
          hasStandBy: async () => false,
          leave: async () => undefined,
          close: async () => undefined,
        },
        {
          quota: {
            msUntilCall: () => (ofDay.left < 1 ? 60_000 : 0),
            async spend(requester) {
              ofDay.left -= 1;
              const name = requester.source === 'user' ? requester.userId : 'check';
              spends.push(name);
              await inDatabase();
              return async () => {
                ofDay.left += 1;
                spends.splice(spends.lastIndexOf(name), 1);
              };
            },
          },
          pauses,
          wake,
        },
      );
      const calling = caller.call(stopping.signal).catch(() => undefined);
      return {
        caller,
        proven,
        breaker,
        pauses,
        /** Hands over cleanly. */
        async stop() {
          stopping.abort();
          wake.notify();
          await calling;
          await caller.allArrived();
          lost.abort(new Error('closed'));
        },
        /** The session is lost; its calls in flight continue. */
        async lose() {
          lost.abort(new Error('lost'));
          wake.notify();
          await calling;
        },
      };
    },
  };
}

/** By vitest's timers. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

const failed = (kind: FailureKind): AgencyResult => ({ kind: 'failure', failure: { kind } });

function toResult(receiptNumber: string, says: Reply['says'], nth: number): AgencyResult {
  if (says === 'case') return { kind: 'case', case: caseOf(receiptNumber, nth) };
  if (says === 'not-recognized') return { kind: says };
  return failed(says === '401' ? 'credentials' : says);
}

/** What the agency says of a case, at its `nth` call of all. */
export function caseOf(receiptNumber: string, nth = 0): AgencyCase {
  return {
    receiptNumber,
    status: `About ${receiptNumber}`,
    statusEs: null,
    description: `Call ${nth}`,
    descriptionEs: null,
    links: [],
    linksEs: [],
    formType: '',
    petitionType: null,
    substatus: null,
    channelType: null,
    submittedDate: null,
    modifiedDate: null,
    isWholeHistory: true,
    history: [],
  };
}

let lookups = 0;
const lookup = (origin: 'single' | 'scheduled') => {
  lookups += 1;
  return {
    id: `lookup-${lookups}`,
    origin,
    requestId: undefined,
    traceId: undefined,
    startedAtMs: Date.now(),
  };
};
export const person = (userId: string, tier: 'free' | 'pro' = 'free'): Requester => ({
  source: 'user',
  userId,
  name: userId,
  tier,
  lookup: lookup('single'),
});
export const check = (): Requester => ({ source: 'monitor', lookup: lookup('scheduled') });

/** Time passes. */
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** For stories in which nothing is demonstrated. */
export const NO_DEMONSTRATIONS: Pick<AgencyCalls, 'demonstrateToken' | 'demonstrateStatus'> = {
  demonstrateToken: () => Promise.reject(new Error('not in this story')),
  demonstrateStatus: () => Promise.reject(new Error('not in this story')),
};
