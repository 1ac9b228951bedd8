import type { Drill } from './run-drill.ts';

const UNREADABLE = {
  breaks: 'a table whose rows a gauge counts is not there',
  break: async ({ sql }) => void (await sql('ALTER TABLE surveys.dead_letters RENAME TO drilled')),
  fixes: 'the database is restored',
  fix: async ({ sql }) => void (await sql('ALTER TABLE surveys.drilled RENAME TO dead_letters')),
} satisfies Partial<Drill>;

/** Of what makes other alerts blind. */
export const BLINDNESS_DRILLS: readonly Drill[] = [
  {
    alert: 'CasewatchRoleAway',
    breaks: 'the only process of surveys is killed',
    break: ({ roleOf }) => roleOf('surveys').kill(),
    fixes: 'the last change is undone: the process starts again',
    fix: ({ roleOf }) => roleOf('surveys').restart(),
    looksBackSeconds: 900,
    also: { CasewatchProcessUnstable: 'the only process of a role that is away for half of the time' },
  },
  { alert: 'CasewatchMetricsMissing', ...UNREADABLE },
  {
    alert: 'CasewatchGaugesUnreadable',
    ...UNREADABLE,
    looksBackSeconds: 900,
    also: { CasewatchMetricsMissing: 'a gauge that cannot be read at any scrape is missing' },
  },
];
