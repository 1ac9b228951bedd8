import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { MailLevels } from './data/deliveries.ts';
import type { CountResult, DeliveryResult } from './domain/send-due-deliveries.ts';

const RESULTS: readonly DeliveryResult[] = ['sent', 'retried', 'failed', 'skipped'];

/** Counts e-mails by result, from 0. */
export function countMails(meter: Meter): CountResult {
  const mails = meter.createCounter('casewatch_mails_total', {
    description: 'E-mails by result; failed: given up, retried: to be retried.',
  });
  for (const result of RESULTS) mails.add(0, { result });
  return (result, count) => mails.add(count, { result });
}

export function measureMails(meter: Meter, levels: () => Promise<MailLevels>): void {
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
