import { openDayQuota, type QuotaLedger } from '@casewatch/cases/caller/day-quota';
import type { AgencyFailure } from '@casewatch/cases/domain/agency-failure';
import { type CheckOutcome, toCheckResult } from '@casewatch/cases/domain/check-cases';
import type { AnswerOf, RouteContract } from '@casewatch/contracts/route-contract';
import { createCheckDueWatchesJob } from '@casewatch/monitoring/jobs/check-due-watches-job';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { z } from 'zod';
import { type AgencyCalls, createAgencyCalls, NO_LOOKUP } from './agency-calls.ts';
import { createPeople, type Served } from './people.ts';
import { createRandom, createSimulatedClock, settled } from './simulated-clock.ts';
import { steadyWaitDays } from './steady-wait.ts';
import { type Ages, createWatches, DAY_MS } from './watches.ts';

export interface Case {
  readonly watches: number;
  readonly callsPerSecond: number;
  readonly callsPerDay: number;
  /** Days of normal work, then of the agency's outage, then of recovery. */
  readonly days: { readonly steady: number; readonly outage: number; readonly recovery: number };
  readonly seed: number;
}

export interface Figures extends Case {
  /** Calls that the checks need a day, divided by those that are left for them. */
  readonly demand: number;
  /** How long a due watch waits for its check when nothing changes any more, in days: by arithmetic, where the run begins. */
  readonly steadyWaitDays: number;
  /** At the end of the steady part. */
  readonly ages: readonly Ages[];
  /** Checks a day of the steady part, and what part of all calls they were. */
  readonly checksPerDay: number;
  readonly checksShare: number;
  readonly people: readonly Served[];
  readonly fairness: number;
  /** Watches due for over an hour: before, at the end of the outage, and days later until as few as before; null: longer. */
  readonly lateBefore: number;
  readonly lateAfterOutage: number;
  readonly recoveredAfterDays: number | null;
  /** Watches due for over an hour, every six hours. */
  readonly late: readonly { readonly day: number; readonly watches: number }[];
}

export const WATCHES_PER_USER = 4;
/** Daily, weekly, monthly. */
export const SHARES: readonly [number, number, number] = [0.2, 0.5, 0.3];
const MONITORING_SHARE = 0.5;
const CHECK_WAIT_MS = 2_500;
const REST_SECONDS = 15;
const SAMPLE_MS = DAY_MS / 4;
const HOUR_MS = 3_600_000;
/** The idle scheduler asks less often than the product's, which would be all that the simulation does. */
const POLL_MS = 30_000;
const START_MS = Date.parse('2026-01-05T00:00:00Z');
const WEIGHTS = { free: 1, pro: 4 };

/** Runs the product's scheduler, fair order and day quota on a simulated clock. The same seed gives the same figures. */
export async function simulate(one: Case): Promise<Figures> {
  const { callsPerSecond, callsPerDay, days } = one;
  const outageMs = START_MS + days.steady * DAY_MS;
  const backMs = outageMs + days.outage * DAY_MS;
  const endMs = backMs + days.recovery * DAY_MS;
  const random = createRandom(one.seed);
  const clock = createSimulatedClock(START_MS);
  const { demand, waitDays } = steadyWaitDays(one, SHARES, WATCHES_PER_USER, MONITORING_SHARE);
  const watches = createWatches({
    ...{ count: one.watches, shares: SHARES, startMs: START_MS, endMs, waitMs: waitDays * DAY_MS, random },
    now: () => clock.nowMs(),
  });
  const rule = { callsPerDay, monitoringShare: MONITORING_SHARE };
  const calls = createAgencyCalls({
    clock,
    quota: await openDayQuota({ ...rule, clock, ledger: NO_LEDGER, weights: WEIGHTS }),
    weights: WEIGHTS,
    rule: { calls: callsPerSecond, windowMs: 1_000, scheduledShare: MONITORING_SHARE },
  });
  const people = createPeople({ users: Math.ceil(one.watches / WATCHES_PER_USER), calls, clock, random });
  const isDown = () => clock.nowMs() >= outageMs && clock.nowMs() < backMs;
  const cases = simulatedCases(calls, isDown);
  const job = createCheckDueWatchesJob({
    ...{ store: watches.store, services: cases, clock, leaseMs: 60_000, tracing: noTracing },
    ...{ batch: 100, batchesAtOnce: 2, pollMs: POLL_MS, count: () => undefined },
    logger: createLogger({ level: 'silent', name: 'simulation' }),
  });

  /** Moves the clock from event to event. */
  async function runUntil(untilMs: number): Promise<void> {
    for (;;) {
      const askMs = isDown() ? Number.POSITIVE_INFINITY : people.nextMs();
      const nextMs = Math.min(clock.nextWakeMs(), askMs, calls.nextMs());
      if (nextMs > untilMs) break;
      const woke = clock.moveTo(Math.max(nextMs, clock.nowMs()));
      if (!isDown() && people.nextMs() <= clock.nowMs()) people.advance();
      await calls.advance();
      if (woke || cases.answered()) await settled();
    }
    clock.moveTo(untilMs);
    await settled();
  }

  job.start();
  await settled();
  const late: { day: number; watches: number }[] = [];
  let ages: Ages[] = [];
  let checks = 0;
  people.measure(true);
  for (let atMs = START_MS + SAMPLE_MS; atMs <= endMs; atMs += SAMPLE_MS) {
    await runUntil(atMs);
    late.push({ day: (atMs - START_MS) / DAY_MS, watches: watches.late(atMs, HOUR_MS) });
    if (atMs !== outageMs) continue;
    people.measure(false);
    ages = watches.ages(atMs);
    checks = cases.checks();
  }
  const lateAt = (day: number) => late.find((sample) => sample.day === day)?.watches ?? 0;
  const lateBefore = lateAt(days.steady);
  const back = days.steady + days.outage;
  const enough = Math.max(lateBefore * 1.01, one.watches / 1_000);
  // Beyond the limit it is never caught up with.
  const recovered =
    demand > 1 ? undefined : late.find(({ day, watches: count }) => day > back && count <= enough);
  const served = people.served();
  const peoplesCalls = served.reduce((sum, { called }) => sum + called, 0);
  return {
    ...one,
    ...{ demand, steadyWaitDays: waitDays, ages, late },
    checksPerDay: checks / days.steady,
    checksShare: checks / Math.max(1, checks + peoplesCalls),
    people: served,
    fairness: people.fairness(),
    lateBefore,
    lateAfterOutage: lateAt(back),
    recoveredAfterDays: recovered ? recovered.day - back : null,
  };
}

/** The internal route of the cases service: every call that is granted is answered at once. */
function simulatedCases(calls: AgencyCalls, isDown: () => boolean) {
  let checks = 0;
  let answered = false;

  const failed = (failure: AgencyFailure): CheckOutcome => ({ kind: 'failure', failure });

  function check(): Promise<CheckOutcome> {
    if (isDown()) return Promise.resolve(failed({ kind: 'resting', retryAfterMs: REST_SECONDS * 1_000 }));
    return new Promise((resolve) =>
      calls.ask({ source: 'monitor', lookup: NO_LOOKUP }, CHECK_WAIT_MS, (outcome) => {
        answered = true;
        if (outcome.kind === 'called') {
          checks += 1;
          return resolve({ kind: 'case' });
        }
        const { reason, retryAfterMs } = outcome;
        return resolve(failed({ kind: `budget-${reason}`, retryAfterMs }));
      }),
    );
  }

  const client: ServiceClient = {
    async call<R extends RouteContract>(contract: R, { body }: { body: unknown }): Promise<AnswerOf<R>> {
      const { receiptNumbers } = checkedBody.parse(body);
      const checked = await Promise.all(
        receiptNumbers.map(async (receiptNumber) => ({ receiptNumber, outcome: await check() })),
      );
      const results = checked.map(({ receiptNumber, outcome }) =>
        toCheckResult(receiptNumber, outcome, CHECK_WAIT_MS),
      );
      // As in the product's client: the schema of the answer is its type.
      return contract.answer.parse({ results }) as AnswerOf<R>;
    },
  };
  return {
    ...client,
    checks: () => checks,
    /** Whether something was answered since it was last asked. */
    answered: () => {
      const was = answered;
      answered = false;
      return was;
    },
  };
}

/** A receipt number is a place here. */
const checkedBody = z.object({ receiptNumbers: z.array(z.string()) });

/** The quota is counted in memory: there is one caller, from the beginning to the end. */
const NO_LEDGER: QuotaLedger = {
  read: async () => ({ calls: 0, monitorCalls: 0, ofUsers: new Map() }),
  add: async () => undefined,
};
