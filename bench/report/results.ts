import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** What the report takes from the files that `bench:load`, `bench:simulate` and `bench:row-sizes` write. */
const figures = z.object({
  name: z.string(),
  requests: z.number(),
  perSecond: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  p99Ms: z.number(),
  failedShare: z.number(),
  dropped: z.number(),
});
const load = z.object({
  scenario: z.string(),
  shape: z.string(),
  command: z.string(),
  measuredAt: z.string(),
  machine: z.object({ cores: z.number(), load: z.number() }),
  seconds: z.number(),
  all: figures,
  parts: z.array(figures),
  knee: figures.optional(),
  cpuSeconds: z.object({ product: z.number(), postgres: z.number() }),
  resources: z.array(
    z.object({ atSeconds: z.number(), rssMb: z.number(), handles: z.number(), connections: z.number() }),
  ),
});
const simulated = z.object({
  watches: z.number(),
  callsPerSecond: z.number(),
  callsPerDay: z.number(),
  days: z.object({ steady: z.number(), outage: z.number(), recovery: z.number() }),
  demand: z.number(),
  steadyWaitDays: z.number(),
  ages: z.array(z.object({ periodDays: z.number(), p50: z.number(), p95: z.number(), most: z.number() })),
  checksPerDay: z.number(),
  checksShare: z.number(),
  people: z.array(
    z.object({
      kind: z.string(),
      asked: z.number(),
      called: z.number(),
      p50WaitMs: z.number(),
      p95WaitMs: z.number(),
    }),
  ),
  fairness: z.number(),
  lateBefore: z.number(),
  lateAfterOutage: z.number(),
  recoveredAfterDays: z.number().nullable(),
  late: z.array(z.object({ day: z.number(), watches: z.number() })),
});
const simulation = z.object({ command: z.string(), figures: z.array(simulated) });
const rowSizes = z.object({ command: z.string(), bytes: z.record(z.string(), z.number()) });

export type Load = z.output<typeof load>;
export type Simulated = z.output<typeof simulated>;

export interface Results {
  readonly loads: readonly Load[];
  readonly simulations: readonly z.output<typeof simulation>[];
  readonly rowSizes: z.output<typeof rowSizes> | undefined;
}

/** Reads every result of a folder, the simulations in order of size. */
export function readResults(folder: string): Results {
  const read = <Schema extends z.ZodType>(schema: Schema, begin: string) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(begin) && file.endsWith('.json'))
      .map(
        (file): z.output<Schema> => schema.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))),
      );
  return {
    loads: read(load, 'load-'),
    simulations: read(simulation, 'simulate-').sort(
      (a, b) => (a.figures[0]?.watches ?? 0) - (b.figures[0]?.watches ?? 0),
    ),
    rowSizes: read(rowSizes, 'row-sizes')[0],
  };
}
