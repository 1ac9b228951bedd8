import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { CallQueue } from '@casewatch/shared-state/call-queues/call-queue';
import type { CallSource } from '../domain/agency.ts';
import type { BudgetRefusal } from './budget-refusal.ts';

export interface BudgetMetrics {
  /** A call was granted after so long in the queue. */
  waited(source: CallSource, ms: number): void;
  /** The budget had no call to give. */
  refused(reason: BudgetRefusal['reason']): void;
}

const REASONS = {
  busy: { reason: 'second' },
  spent: { reason: 'day' },
  unavailable: { reason: 'unavailable' },
} as const;

/** Measures the queue by kind of participant; no metric names a user. */
export function createBudgetMetrics(meter: Meter, queue: CallQueue): BudgetMetrics {
  const refusals = meter.createCounter('casewatch_agency_budget_refusals_total', {
    description:
      'Calls that were not made: too many within a second or within the day, or none because they cannot be counted.',
  });
  // A rate needs a beginning.
  for (const attributes of Object.values(REASONS)) refusals.add(0, attributes);
  const waits = meter.createHistogram('casewatch_agency_budget_wait_seconds', {
    description: 'How long granted calls waited for their turn.',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.005, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10] },
  });
  const depthName = 'casewatch_agency_budget_queue_depth';
  readGauges(meter, { [depthName]: 'Calls of this process that wait for their turn.' }, () => {
    const { user, scheduled } = queue.depth();
    return {
      [depthName]: [
        { value: user, attributes: { source: 'user' } },
        { value: scheduled, attributes: { source: 'monitor' } },
      ],
    };
  });
  return {
    waited: (source, ms) => waits.record(ms / 1_000, { source }),
    refused: (reason) => refusals.add(1, REASONS[reason]),
  };
}
