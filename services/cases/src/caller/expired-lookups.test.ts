import { randomUUID } from 'node:crypto';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import { noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { NO_DEMONSTRATIONS } from '../../test/caller-fixture.ts';
import { createBudgetMetrics } from '../agency/agency-metrics.ts';
import type { CaseStore } from '../domain/case-store.ts';
import { AgencyCaller } from './agency-caller.ts';
import { createAgencyBreaker } from './breaker.ts';
import type { CallerDeps } from './caller-deps.ts';
import type { CallerSession } from './caller-session.ts';
import { createPauses } from './pauses.ts';

const RULE = { calls: 10, windowMs: 1_001, leaseMs: 2_000, scheduledShare: 0.5 };
const STEP_MS = 25;
const SECONDS = 60;
const WAITS_MS = 2_500;
const weights = { free: 1, pro: 4 };

test('R9: expired lookups take no turn: while more wait than can be served, 98 % of the calls are made', async () => {
  const clock = createManualClock();
  const stop = new AbortController();
  const store: Pick<CaseStore, 'record'> = {
    record: async (records) => new Map(records.map(({ end }) => [end.own?.lookupId ?? '', false])),
  };
  let steps = 0;
  let calls = 0;
  const deps: CallerDeps = {
    queue: {
      // Every 25 ms of the clock another scheduled check: 40 a second, four times what is allowed.
      async claim() {
        await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(STEP_MS);
        steps += 1;
        if (steps * STEP_MS >= SECONDS * 1_000) stop.abort();
        const lookup = {
          id: randomUUID(),
          origin: 'scheduled',
          requestId: undefined,
          traceId: undefined,
        } as const;
        return [
          {
            id: lookup.id,
            receiptNumber: `WAC${String(steps).padStart(10, '0')}`,
            requester: { source: 'monitor', lookup: { ...lookup, startedAtMs: 0 } },
            waitedMs: 0,
            leftMs: WAITS_MS,
          },
        ];
      },
      begin: async () => ({ waits: true, people: false, fresh: false }),
      undo: async () => undefined,
      end: async () => new Map(),
      sweep: async () => undefined,
    },
    cases: store as CaseStore,
    calls: {
      ...NO_DEMONSTRATIONS,
      token: async () => ({ token: 'none' }),
      async call({ onHead }) {
        calls += 1;
        onHead();
        const record = { statusCode: 404, code: 'not-recognized', response: '', durationMs: 0 } as const;
        return { result: { kind: 'not-recognized' }, record, isTokenRefused: false };
      },
      stop: async () => undefined,
    },
    breaker: createAgencyBreaker(15_000, clock),
    metrics: createBudgetMetrics(noTelemetry.meter),
    ended: createSignal(),
    clock,
    logger: pino({ level: 'silent' }),
    tracing: noTracing,
    rule: RULE,
    weights,
    fresh: { freshMs: 0, notRecognizedMs: 0 },
    timeoutMs: 8_000,
  };
  const session: CallerSession = {
    epoch: 1,
    pause: { leftMs: 0, inARow: 0, quotaSpentMs: 0 },
    beginInMs: 0,
    lost: new AbortController().signal,
    isProven: () => true,
    nowMs: clock.nowMs,
    nextCallNumber: () => BigInt(calls),
    storePause: async () => undefined,
    hasStandBy: async () => false,
    leave: async () => undefined,
    close: async () => undefined,
  };
  const caller = new AgencyCaller(deps, session, {
    quota: { msUntilCall: () => 0, spend: async () => async () => undefined },
    pauses: createPauses(
      clock,
      () => 0,
      () => undefined,
    ),
    // Nothing has to be awaited: the clock advances with each read of the queue.
    wake: { notify: () => undefined, wait: async () => undefined },
  });
  await caller.call(stop.signal);
  await caller.settled();
  const allowed = (SECONDS * 1_000 * RULE.calls) / RULE.windowMs;
  expect(calls / allowed).toBeGreaterThanOrEqual(0.98);
  expect(calls).toBeLessThanOrEqual(allowed + RULE.calls);
});
