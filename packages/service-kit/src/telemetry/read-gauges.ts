import type { Attributes, Meter } from '@opentelemetry/api';
import { withTimeout } from '../runtime/lifecycle.ts';

/** Values at one moment, by the name of their gauge; a gauge that is left out is unknown at the moment. */
export type Readings<Name extends string> = Partial<Record<Name, number | readonly Reading[]>>;

export interface Reading {
  readonly value: number;
  readonly attributes: Attributes;
}

/** Below what a scraper waits. */
const READ_WITHIN_MS = 3_000;
const FAILURES = 'casewatch_gauge_read_failures_total';

/**
 * Registers gauges that are read at each scrape. While `read` fails or takes longer than `withinMs` they are omitted and
 * counted as failures by gauge and reason (`error`, `timeout`); other gauges are not affected.
 */
export function readGauges<Name extends string>(
  meter: Meter,
  descriptions: Readonly<Record<Name, string>>,
  read: () => Readings<Name> | Promise<Readings<Name>>,
  withinMs = READ_WITHIN_MS,
): void {
  const names = Object.keys(descriptions) as Name[];
  const gauges = names.map(
    (name) => [name, meter.createObservableGauge(name, { description: descriptions[name] })] as const,
  );
  const failures = meter.createCounter(FAILURES, {
    description: 'Scrapes at which a gauge could not be read: an error, or no answer within 3 s.',
  });
  // A rate needs a beginning.
  for (const gauge of names) {
    for (const reason of ['error', 'timeout']) failures.add(0, { gauge, reason });
  }

  meter.addBatchObservableCallback(
    async (result) => {
      let reason = 'timeout';
      // Begun at once: a reading that takes no time sees nothing of those that come after it.
      const begun = (async () => read())().catch((error) => {
        reason = 'error';
        throw error;
      });
      const reading = withTimeout(begun, withinMs, 'reading the gauges timed out');
      const values = await reading.catch((): Readings<Name> => {
        for (const gauge of names) failures.add(1, { gauge, reason });
        return {};
      });
      for (const [name, gauge] of gauges) {
        const read: number | readonly Reading[] | undefined = values[name];
        if (typeof read === 'number') result.observe(gauge, read);
        else for (const { value, attributes } of read ?? []) result.observe(gauge, value, attributes);
      }
    },
    gauges.map(([, gauge]) => gauge),
  );
}
