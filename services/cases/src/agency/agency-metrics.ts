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
  if (result.kind === 'not-recognised') return 'not_recognized';
  return FAILURES[result.failure.kind] ?? 'failed';
}
