import { CHECK_OUTCOMES } from '@casewatch/contracts/check-cases';
import { readGauges } from '@casewatch/service-kit/telemetry/read-gauges';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { WatchLevels } from './data/watch-levels.ts';
import type { Checking } from './domain/check-due-watches.ts';

/** Counts checks by what came of them, from 0. */
export function countChecks(meter: Meter): Checking['count'] {
  const checks = meter.createCounter('casewatch_checks_total', {
    description: 'Scheduled checks by outcome; unasked: cases did not answer.',
  });
  const labels = new Map(
    [...CHECK_OUTCOMES, 'unasked'].map((outcome) => [
      outcome,
      { outcome: outcome.replace('recognized', 'recognized').replaceAll('-', '_') },
    ]),
  );
  for (const attributes of labels.values()) checks.add(0, attributes);
  return (outcome, count) => checks.add(count, labels.get(outcome));
}

export function measureWatches(meter: Meter, levels: () => Promise<WatchLevels>): void {
  readGauges(
    meter,
    {
      casewatch_watches: 'Watched receipt numbers.',
      casewatch_watches_due: 'Watches whose check is owed.',
      casewatch_watch_lateness_seconds: 'How long the oldest check has been owed; 0 when none is.',
    },
    async () => {
      const { watches, due, latenessSeconds } = await levels();
      return {
        casewatch_watches: watches,
        casewatch_watches_due: due,
        casewatch_watch_lateness_seconds: latenessSeconds,
      };
    },
  );
}
