import { setTimeout as pause } from 'node:timers/promises';
import { BURN_RATES, burnRateAlertsOf, type OBJECTIVES } from '../mixin/objectives.ts';
import type { DrilledProduct } from './drilled-product.ts';
import type { Drill } from './run-drill.ts';

/** Among good ones. More than the fewest that alert. */
const BAD = 12;
/** The slowest rate, which is exceeded in every drill, lasts for this time. */
const SLOWEST_LOOKS_BACK_SECONDS = 6 * 3_600;
const SLOWER_ALSO = 'what burns the budget so fast also exceeds the slower rates';

/** How requests, or changes, become bad ones, and what repairs it. */
interface Burning extends Pick<Drill, 'breaks' | 'break' | 'fixes' | 'fix'> {
  bad(of: DrilledProduct, count: number): Promise<void>;
  good(of: DrilledProduct, count: number): Promise<void>;
}

const GOOD_PATH = '/api/saved-cases';
const SURVEYS_PATH = '/api/surveys/pending';

const BURNING: Readonly<Record<string, Burning>> = {
  availability: {
    breaks: 'a release of surveys looks for a table that is not there',
    break: async ({ sql }) => void (await sql('ALTER TABLE surveys.surveys RENAME TO drilled')),
    bad: ({ visit }, count) => visit(SURVEYS_PATH, count),
    good: ({ visit }, count) => visit(GOOD_PATH, count),
    fixes: 'the release is rolled back',
    fix: async ({ sql }) => void (await sql('ALTER TABLE surveys.drilled RENAME TO surveys')),
  },
  latency: {
    breaks: 'surveys stands still for a second and a half while users open the app',
    break: async () => undefined,
    bad: async ({ roleOf, visit }, count) => {
      const { kill } = roleOf('surveys');
      await kill('SIGSTOP');
      const visits = visit(SURVEYS_PATH, count);
      await pause(1_500);
      await kill('SIGCONT');
      await visits;
    },
    good: ({ visit }, count) => visit(GOOD_PATH, count),
    fixes: 'only its routes are slow: surveys has the processor that it needs',
    fix: async () => undefined,
  },
  notification: {
    breaks: 'notifications does not run for six seconds while cases move',
    break: async () => undefined,
    bad: async ({ roleOf, watchMovedCases, allNotified }, count) => {
      const { kill } = roleOf('notifications');
      await kill('SIGSTOP');
      await watchMovedCases(Math.ceil(count / 2));
      await pause(6_000);
      await kill('SIGCONT');
      await allNotified();
    },
    good: async ({ watchMovedCases, allNotified }, count) => {
      await watchMovedCases(Math.ceil(count / 2));
      await allNotified();
    },
    fixes: 'notifications runs again, and handles what has come during the outage',
    fix: async () => undefined,
  },
};

/** Returns one drill per rate: the share of what is bad is between it and the next faster one. */
export function burnRateDrillsOf(objective: (typeof OBJECTIVES)[number]): Drill[] {
  const burning = BURNING[objective.name];
  if (!burning) throw new Error(`nothing makes the objective ${objective.name} fail`);
  const alerts = burnRateAlertsOf(objective).map(({ alert }) => alert);
  return BURN_RATES.map(({ rate }, index) => {
    const share = rate * 1.5 * objective.budget;
    const good = Math.floor(BAD / share) - BAD;
    return {
      alert: alerts[index] ?? '',
      breaks: `${burning.breaks}: one in ${Math.round(1 / share)} is bad`,
      async break(of) {
        // A rate begins with the second value of a series.
        await burning.good(of, 1);
        await burning.break(of);
        await burning.bad(of, 1);
      },
      async duringFailure(of) {
        await burning.bad(of, BAD);
        await burning.good(of, good);
      },
      fixes: burning.fixes,
      fix: burning.fix,
      looksBackSeconds: SLOWEST_LOOKS_BACK_SECONDS,
      also: Object.fromEntries(alerts.slice(index + 1).map((slower) => [slower, SLOWER_ALSO])),
    };
  });
}
