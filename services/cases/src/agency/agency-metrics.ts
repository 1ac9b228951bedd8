import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { AgencyResult, CallSource } from '../domain/agency.ts';
import type { FailureKind } from '../domain/agency-failure.ts';

const SOURCES: readonly CallSource[] = ['user', 'monitor'];
const OUTCOMES = ['ok', 'not_recognized', 'refused', 'rate_limited', 'failed', 'timeout'] as const;
type CallOutcome = (typeof OUTCOMES)[number];

/** Every other failure is `failed`. */
const FAILURES: Partial<Record<FailureKind, CallOutcome>> = {
  refused: 'refused',
  credentials: 'refused',
  'rate-limited': 'rate_limited',
  'quota-spent': 'rate_limited',
  timeout: 'timeout',
};

/** Counts that begin at 0 for all that may happen: a rate needs a beginning. */
export function createAgencyMetrics(meter: Meter) {
  const calls = meter.createCounter('casewatch_agency_calls_total', {
    description: 'Calls of the case status endpoint by source and outcome.',
  });
  for (const source of SOURCES) for (const outcome of OUTCOMES) calls.add(0, { source, outcome });
  return {
    /** A call of the status endpoint has ended. */
    called: (source: CallSource, result: AgencyResult) =>
      calls.add(1, { source, outcome: outcomeOf(result) }),
  };
}

function outcomeOf(result: AgencyResult): CallOutcome {
  if (result.kind === 'case') return 'ok';
  if (result.kind === 'not-recognized') return 'not_recognized';
  return FAILURES[result.failure.kind] ?? 'failed';
}

export interface BudgetMetrics {
  /** Records how long a granted call was in the queue. */
  waited(source: CallSource, ms: number): void;
  /** No call was made: the queue is too long, or the day has none. */
  refused(reason: 'second' | 'day'): void;
  /** This process has become the caller. */
  became(): void;
}

/** Measures calls by kind of participant; no metric names a user. */
export function createBudgetMetrics(meter: Meter): BudgetMetrics {
  const refusals = meter.createCounter('casewatch_agency_budget_refusals_total', {
    description: 'Calls that were not made: too many within a second or within the day.',
  });
  // A rate needs a beginning.
  for (const reason of ['second', 'day']) refusals.add(0, { reason });
  const waits = meter.createHistogram('casewatch_agency_budget_wait_seconds', {
    description: 'How long granted calls waited for their turn.',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.005, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10] },
  });
  const handovers = meter.createCounter('casewatch_agency_caller_handovers_total', {
    description: 'How often this process has become the caller of the agency.',
  });
  handovers.add(0);
  return {
    waited: (source, ms) => waits.record(ms / 1_000, { source }),
    refused: (reason) => refusals.add(1, { reason }),
    became: () => handovers.add(1),
  };
}
