/** What `npm run bench:load` can run: a k6 script, the rate of its arrivals and how long it takes. */
export interface Scenario {
  readonly script: string;
  /** Visitors a second, on two cores that the load itself shares. */
  readonly rate: number;
  readonly seconds: number;
  /** Steps of a stress test. */
  readonly steps?: { readonly count: number; readonly seconds: number };
  /** What is held must be as much at the end as at the beginning. */
  readonly mustBeFlat?: true;
  /** No alert may fire. */
  readonly mustBeQuiet?: true;
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'mixed-day': { script: 'mixed-day.ts', rate: 100, seconds: 60 },
  smoke: { script: 'mixed-day.ts', rate: 40, seconds: 20 },
  'bulk-storm': { script: 'bulk-storm.ts', rate: 80, seconds: 60 },
  'sign-in-storm': { script: 'sign-in-storm.ts', rate: 60, seconds: 60 },
  stress: { script: 'stress.ts', rate: 100, seconds: 120, steps: { count: 9, seconds: 12 } },
  'normal-hour': { script: 'mixed-day.ts', rate: 10, seconds: 3_600, mustBeQuiet: true },
  soak: { script: 'mixed-day.ts', rate: 50, seconds: 1_800, mustBeFlat: true },
};
