/** What `npm run bench:load` can run: the rate of arrivals of a mixed day, and how long it takes. */
export interface Scenario {
  /** Visitors a second, on two cores that the load itself shares. */
  readonly rate: number;
  readonly seconds: number;
  /** What is held must be as much at the end as at the beginning. */
  readonly mustBeFlat?: true;
  /** No alert may fire. */
  readonly mustBeQuiet?: true;
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'mixed-day': { rate: 100, seconds: 60 },
  'normal-hour': { rate: 10, seconds: 3_600, mustBeQuiet: true },
  soak: { rate: 50, seconds: 1_800, mustBeFlat: true },
};
