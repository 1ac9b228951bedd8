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

/**
 * Registers gauges that are read at each scrape. While `read` fails or takes too long they are not reported,
 * and the rest is.
 */
export function readGauges<Name extends string>(
  meter: Meter,
  descriptions: Readonly<Record<Name, string>>,
  read: () => Readings<Name> | Promise<Readings<Name>>,
): void {
  const names = Object.keys(descriptions) as Name[];
  const gauges = names.map(
    (name) => [name, meter.createObservableGauge(name, { description: descriptions[name] })] as const,
  );
  meter.addBatchObservableCallback(
    async (result) => {
      // Begun at once: a reading that takes no time sees nothing of those that come after it.
      const begun = (async () => read())();
      const reading = withTimeout(begun, READ_WITHIN_MS, 'too slow to be told');
      const values = await reading.catch((): Readings<Name> => ({}));
      for (const [name, gauge] of gauges) {
        const told: number | readonly Reading[] | undefined = values[name];
        if (typeof told === 'number') result.observe(gauge, told);
        else for (const { value, attributes } of told ?? []) result.observe(gauge, value, attributes);
      }
    },
    gauges.map(([, gauge]) => gauge),
  );
}
