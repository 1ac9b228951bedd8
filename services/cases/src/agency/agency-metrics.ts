import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { AgencyResult, CallSource } from '../domain/agency.ts';
import type { FailureKind } from '../domain/agency-failure.ts';

export type CallOutcome = 'ok' | 'not_recognized' | 'refused' | 'rate_limited' | 'failed' | 'timeout';

export interface AgencyMetrics {
  /** A call of the status endpoint has ended. */
  called(source: CallSource, result: AgencyResult): void;
}

const SOURCES: readonly CallSource[] = ['user', 'monitor'];
const OUTCOMES: readonly CallOutcome[] = [
  'ok',
  'not_recognized',
  'refused',
  'rate_limited',
  'failed',
  'timeout',
];
/** Every other failure is `failed`. */
const FAILURES: Partial<Record<FailureKind, CallOutcome>> = {
  refused: 'refused',
  credentials: 'refused',
  'rate-limited': 'rate_limited',
  'quota-spent': 'rate_limited',
  timeout: 'timeout',
};

/** Counts that begin at 0 for all that may happen: a rate needs a beginning. */
export function createAgencyMetrics(meter: Meter): AgencyMetrics {
  const calls = meter.createCounter('casewatch_agency_calls_total', {
    description: 'Calls of the case status endpoint by source and outcome.',
  });
  const labels = new Map(
    SOURCES.flatMap((source) =>
      OUTCOMES.map((outcome) => [`${source} ${outcome}`, { source, outcome }] as const),
    ),
  );
  for (const attributes of labels.values()) calls.add(0, attributes);
  return {
    called: (source, result) => calls.add(1, labels.get(`${source} ${outcomeOf(result)}`)),
  };
}

function outcomeOf(result: AgencyResult): CallOutcome {
  if (result.kind === 'case') return 'ok';
  if (result.kind === 'not-recognised') return 'not_recognized';
  return FAILURES[result.failure.kind] ?? 'failed';
}
