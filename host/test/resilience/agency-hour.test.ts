import { setTimeout as delay } from 'node:timers/promises';
import { startAgencySimulator } from '@casewatch/agency-simulator/agency-simulator';
import { createLifecycle, type Lifecycle } from '@casewatch/service-kit/runtime/lifecycle';
import { startTelemetry } from '@casewatch/service-kit/telemetry/start-telemetry';
import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import { mutateImports } from '@casewatch/testing/mutate-imports';
import type { Mutation } from '@casewatch/testing/mutation';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { readHostSettings } from '../../src/all-settings.ts';
import { beginRound, type Round } from '../faults/rounds.ts';
import { createVisitor } from '../faults/visitor.ts';

/** R6: the agency is down for an hour, on a clock that is moved; the whole product runs in this process. */

const MINUTE_MS = 60_000;
const CASES = 40;
/** Steps in which time passes as fast as that of the machine. */
const REAL_STEP_MS = 10;
/** The longest delay before another try, after a failure that was on its way when the agency came back, and the check itself. */
const MADE_UP_WITHIN_MS = 65 * MINUTE_MS;
const CLIENT = { clientId: 'test-client', clientSecret: 'test-secret' };
/** A check that was not made is due again a day later, like one that was. */
const WITHOUT_ANOTHER_TRY: readonly Mutation[] = [
  {
    file: 'services/monitoring/src/data/claims.ts',
    find: "schedule.nextTry('$3::timestamptz')",
    replace: "schedule.nextCheck('$3::timestamptz')",
  },
  {
    file: 'services/monitoring/src/data/claims.ts',
    find: 'next_check_at = owed_since, owed_since = CASE',
    replace: "next_check_at = owed_since + interval '1 day', owed_since = CASE",
  },
];

let lifecycle: Lifecycle;
let clock: ManualClock;
let database: TestDatabase;
let url: string;
let agencyUrl: string;
let passing: boolean;
afterEach(async () => {
  // What stops waits on the clock, too.
  passing = true;
  const time = letTimePass(1_000, () => passing);
  await lifecycle.stop();
  passing = false;
  await time;
  await database.drop();
});

async function start(): Promise<void> {
  clock = createManualClock(Date.now());
  database = await createTestDatabase();
  const logger = pino({ level: 'silent' });
  lifecycle = createLifecycle(logger, 20_000);
  const agency = await startAgencySimulator({
    ...CLIENT,
    port: 0,
    control: true,
    clock,
    callsPerSecond: 100,
  });
  lifecycle.add({ name: 'agency', stop: agency.stop });
  agencyUrl = agency.url;
  const env = {
    PORT: '0',
    AGENCY_BASE_URL: agency.url,
    AGENCY_CLIENT_ID: CLIENT.clientId,
    AGENCY_CLIENT_SECRET: CLIENT.clientSecret,
    AGENCY_CALLS_PER_SECOND: '100',
    AGENCY_CALLS_PER_DAY: '100000',
    DEMO_ACCOUNTS: 'true',
  };
  const { settings, roles } = await readHostSettings(env);
  // As mutated, if it is.
  const { startProduct } = await import('../../src/product.ts');
  const server = await startProduct({
    settings,
    roles,
    env,
    databaseUrlOf: database.urlFor,
    clock,
    logger,
    telemetry: await startTelemetry({ process: 'test', otlpEndpoint: undefined, tracesRatio: 0 }),
    lifecycle,
    onFatal: (error) => {
      throw error;
    },
  });
  url = server.url;
}

/** Moves the clock in steps, with `realMs` in between for real parts to answer. */
async function letTimePass(
  stepMs: number,
  goesOn: () => boolean | Promise<boolean>,
  realMs = 4,
): Promise<void> {
  while (await goesOn()) {
    await clock.advance(stepMs);
    await delay(realMs);
  }
}

const fault = (mode: string) =>
  fetch(`${agencyUrl}/__control/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
  });

/** What has begun continues at its own speed, for this long after it was last seen. */
const GOES_ON_MS = 500;
/** A check that is due, or that waits for the agency. */
const BEGUN = `
  SELECT 1 FROM monitoring.watches WHERE next_check_at <= $1
  UNION ALL SELECT 1 FROM cases.agency_queue WHERE outcome IS NULL
  LIMIT 1`;

/** Has the agency answer again, and lets at most the promised time pass until every watcher is notified. */
async function agencyIsBack({ progress, verdict }: Round, stepMs: number) {
  await fault('none');
  const untilMs = clock.nowMs() + MADE_UP_WITHIN_MS;
  let begunAtMs = Number.NEGATIVE_INFINITY;
  while ((await progress()) < 1 && clock.nowMs() < untilMs) {
    // Calls are real now: time that runs faster than they do would end them.
    if ((await database.query(BEGUN, [new Date(clock.nowMs())])).length > 0) begunAtMs = performance.now();
    const goesOn = performance.now() - begunAtMs < GOES_ON_MS;
    await clock.advance(goesOn ? REAL_STEP_MS : stepMs);
    await delay(REAL_STEP_MS);
  }
  return verdict();
}

test('R6: after an hour without the agency every check is made up for, users saw why, and no user is notified twice', {
  timeout: 120_000,
}, async () => {
  await start();
  const visitor = await createVisitor(url);
  await fault('unavailable');
  const round = await beginRound({ database }, 1, CASES);
  const downUntilMs = clock.nowMs() + 60 * MINUTE_MS;
  await letTimePass(2_000, () => clock.nowMs() < downUntilMs);
  expect(await round.progress()).toBe(0);
  expect(await visitor.ask('saved cases')).toMatchObject({ status: 200 });
  const lookUp = visitor.ask('lookup');
  let answered = false;
  void lookUp.then(() => {
    answered = true;
  });
  await letTimePass(500, () => !answered);
  expect(await lookUp).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[1-9]/) });
  expect(await agencyIsBack(round, 2_000)).toEqual({ missing: 0, doubled: 0 });
});

test('R6, shown able to fail: a check that is not tried again is not made up for', {
  timeout: 120_000,
}, async () => {
  mutateImports(WITHOUT_ANOTHER_TRY);
  await start();
  await fault('unavailable');
  const round = await beginRound({ database }, 1, CASES);
  const dueSoon = () =>
    database.query('SELECT 1 FROM monitoring.watches WHERE next_check_at < $1', [
      new Date(clock.nowMs() + 2 * MADE_UP_WITHIN_MS),
    ]);
  await letTimePass(2_000, async () => (await dueSoon()).length > 0);
  // A check leaves a row when its calls have ended: one on its way would find the agency back.
  const ended = () => database.query('SELECT 1 FROM admin_log.calls');
  await letTimePass(1_000, async () => (await ended()).length < CASES, 20);
  // Nothing is due, so that no call or lease depends on the speed of time.
  expect(await agencyIsBack(round, MINUTE_MS)).toEqual({ missing: 2 * CASES, doubled: 0 });
});
