import { readSettings, SettingsError } from '@casewatch/service-kit/settings/settings';
import { describe, expect, test } from 'vitest';
import { readHostSettings, settingsGroups } from './all-settings.ts';
import { relationProblems } from './setting-relations.ts';

/** Each row: a setting that is just long enough, one unit less, and what it covers. */
const PAIRS: readonly (readonly [
  setting: string,
  enough: number,
  covered: Readonly<Record<string, number>>,
])[] = [
  ['MONITORING_LEASE_SECONDS', 14, { BUDGET_WAIT_MS: 4_000, AGENCY_TIMEOUT_MS: 8_000 }],
  ['MONITORING_LEASE_SECONDS', 63, { BUDGET_WAIT_MS: 1_000, AGENCY_TIMEOUT_MS: 60_000 }],
  ['UPSTREAM_TIMEOUT_SECONDS', 13, { BUDGET_WAIT_MS: 4_000, AGENCY_TIMEOUT_MS: 8_000 }],
  ['UPSTREAM_TIMEOUT_SECONDS', 6, { STRIPE_TIMEOUT_MS: 5_000 }],
  ['SESSION_MAX_DAYS', 14, { SESSION_IDLE_HOURS: 336 }],
  ['ADMIN_SESSION_HOURS', 2, { ADMIN_IDLE_MINUTES: 61 }],
  ['SESSION_IDLE_HOURS', 2, { SESSION_CACHE_SECONDS: 3_601 }],
  ['DRAIN_SECONDS', 20, { STREAM_DRAIN_SECONDS: 20 }],
];

describe('a time is at least as long as what it covers', () => {
  test.each(PAIRS)('%s of %i is enough, and one less is refused', (setting, enough, covered) => {
    expect(relationProblems({ [setting]: enough, ...covered })).toEqual([]);
    const [problem, ...others] = relationProblems({ [setting]: enough - 1, ...covered });
    expect(problem).toMatch(new RegExp(`^${setting}: must be at least ${enough} with this .*, or .{20,}`));
    for (const name of Object.keys(covered)) expect(problem).toContain(name);
    expect(others).toEqual([]);
  });

  test('what this process does not read is not compared', () => {
    for (const [setting, enough, covered] of PAIRS) {
      expect(relationProblems({ [setting]: enough - 1 })).toEqual([]);
      expect(relationProblems(covered)).toEqual([]);
    }
  });

  test('the defaults keep every relation, and every setting of a relation exists', async () => {
    const groups = await settingsGroups();
    const defaults = Object.assign({}, ...groups.map(({ shape }) => readSettings(shape, {})));
    expect(relationProblems(defaults)).toEqual([]);
    for (const [setting, , covered] of PAIRS)
      for (const name of [setting, ...Object.keys(covered)]) expect(defaults).toHaveProperty(name);
  });

  test('a process with settings that do not fit together does not start, and says why', async () => {
    const env = { SESSION_MAX_DAYS: '7', STREAM_DRAIN_SECONDS: '30' };
    const error = await readHostSettings(env).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SettingsError);
    expect(error).toMatchObject({
      problems: [
        expect.stringMatching(/^SESSION_MAX_DAYS: must be at least 14 with this SESSION_IDLE_HOURS/),
        expect.stringMatching(/^DRAIN_SECONDS: must be at least 30 with this STREAM_DRAIN_SECONDS/),
      ],
    });
  });
});

describe('a production base has a quota of its own', () => {
  test.each([
    ['https://api.uscis.gov', 1_000, true],
    ['https://API.USCIS.gov/v1', 1_000, true],
    ['https://api.uscis.gov.', 1_000, true],
    ['https://api.uscis.gov:443', 1_000, true],
    ['https://me:secret@api.uscis.gov', 1_000, true],
    ['https://api.uscis.gov', 150_000, false],
    ['https://api-int.uscis.gov', 1_000, false],
    ['https://api-int.uscis.gov.', 1_000, false],
    ['http://127.0.0.1:8081', 1_000, false],
    ['https://api.notuscis.gov', 1_000, false],
    ['https://api.uscis.gov.example.org', 1_000, false],
  ])('%s with %i calls a day is refused: %s', (AGENCY_BASE_URL, AGENCY_CALLS_PER_DAY, isRefused) => {
    const problems = relationProblems({ AGENCY_BASE_URL, AGENCY_CALLS_PER_DAY });
    expect(problems).toEqual(
      isRefused
        ? [expect.stringMatching(/^AGENCY_CALLS_PER_DAY: .*AGENCY_BASE_URL.*AGENCY_CALLS_PER_SECOND/)]
        : [],
    );
  });

  test.each([undefined, '1000'])('a process of the cases service does not start with %s', async (calls) => {
    const env = {
      SERVICES: 'cases',
      AGENCY_BASE_URL: 'https://api.uscis.gov',
      ...(calls ? { AGENCY_CALLS_PER_DAY: calls } : {}),
    };
    const error = await readHostSettings(env).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      problems: expect.arrayContaining([
        expect.stringMatching(/^AGENCY_CALLS_PER_DAY: is the sandbox's 1000/),
      ]),
    });
  });
});
