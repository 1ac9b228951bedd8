import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { DeliveryLevels } from './data/deliveries.ts';
import type { CountResult, DeliveryResult } from './domain/send-due-deliveries.ts';

const RESULTS: readonly DeliveryResult[] = ['sent', 'retried', 'unavailable', 'failed', 'skipped'];

function countResults(meter: Meter, name: string, description: string): CountResult {
  const counter = meter.createCounter(name, { description });
  for (const result of RESULTS) counter.add(0, { result });
  return (result, count) => counter.add(count, { result });
}

/** Counts e-mails by result, from 0. */
export const countMails = (meter: Meter): CountResult =>
  countResults(
    meter,
    'casewatch_mails_total',
    'E-mails by result; failed: permanently, retried: to be retried.',
  );

/** Counts push messages by result, and refusals of the product's key, from 0. */
export function countPushes(meter: Meter): { count: CountResult; onUnauthorized: () => void } {
  const unauthorized = meter.createCounter('casewatch_push_unauthorized_total', {
    description: 'Push messages that a push service refused because of our key (401 or 403).',
  });
  unauthorized.add(0);
  const description = 'Push messages by result; failed: permanently, retried: to be retried.';
  return {
    count: countResults(meter, 'casewatch_pushes_total', description),
    onUnauthorized: () => unauthorized.add(1),
  };
}

export function measureMails(meter: Meter, levels: () => Promise<DeliveryLevels>): void {
  readGauges(
    meter,
    {
      casewatch_mails_queued: 'E-mails that wait to be sent, counted to 10,000.',
      casewatch_mails_oldest_seconds: 'How long the oldest of them has waited; 0 when none does.',
    },
    async () => {
      const { queued, oldestSeconds } = await levels();
      return { casewatch_mails_queued: queued, casewatch_mails_oldest_seconds: oldestSeconds };
    },
  );
}

export function measurePushes(meter: Meter, levels: () => Promise<DeliveryLevels>): void {
  readGauges(
    meter,
    {
      casewatch_pushes_queued: 'Push messages that wait to be sent, counted to 10,000.',
      casewatch_pushes_oldest_seconds: 'How long the oldest of them has waited; 0 when none does.',
    },
    async () => {
      const { queued, oldestSeconds } = await levels();
      return { casewatch_pushes_queued: queued, casewatch_pushes_oldest_seconds: oldestSeconds };
    },
  );
}
