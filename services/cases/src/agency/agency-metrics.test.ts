import { type Meter, noTelemetry } from '@casewatch/service-kit/telemetry/telemetry';
import { expect, test } from 'vitest';
import type { AgencyResult } from '../domain/agency.ts';
import type { FailureKind } from '../domain/agency-failure.ts';
import { createAgencyMetrics } from './agency-metrics.ts';

/** The counter of calls, by its labels. */
function counted() {
  const counts = new Map<string, number>();
  const meter: Meter = Object.assign(Object.create(noTelemetry.meter), {
    createCounter: (name: string) => ({
      add: (calls: number, { source, outcome }: { source: string; outcome: string }) => {
        const key = `${name} ${source} ${outcome}`;
        counts.set(key, (counts.get(key) ?? 0) + calls);
      },
    }),
  });
  return { counts, metrics: createAgencyMetrics(meter) };
}

const failure = (kind: FailureKind): AgencyResult => ({ kind: 'failure', failure: { kind } });

test('each source and outcome is there from the start, so that a rate has a beginning', () => {
  const { counts } = counted();
  expect(counts.size).toBe(12);
  expect(new Set(counts.values())).toEqual(new Set([0]));
});

test.each<[AgencyResult, string]>([
  [{ kind: 'case', case: {} as never }, 'ok'],
  [{ kind: 'not-recognized' }, 'not_recognized'],
  [failure('refused'), 'refused'],
  [failure('credentials'), 'refused'],
  [failure('rate-limited'), 'rate_limited'],
  [failure('quota-spent'), 'rate_limited'],
  [failure('timeout'), 'timeout'],
  [failure('unreachable'), 'failed'],
  [failure('unexpected'), 'failed'],
])('a call that ends with %j is counted once as %s, for its source', (result, outcome) => {
  const { counts, metrics } = counted();
  metrics.called('monitor', result);
  const made = [...counts].filter(([, calls]) => calls > 0);
  expect(made).toEqual([[`casewatch_agency_calls_total monitor ${outcome}`, 1]]);
});
