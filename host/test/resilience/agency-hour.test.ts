import { setTimeout as delay } from 'node:timers/promises';
import { startAgencySimulator } from '@casewatch/agency-simulator/agency-simulator';
import { createLifecycle, type Lifecycle } from '@casewatch/service-kit/runtime/lifecycle';
import { startTelemetry } from '@casewatch/service-kit/telemetry/start-telemetry';
import { createManualClock, type ManualClock } from '@casewatch/testing/manual-clock';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { readHostSettings } from '../../src/all-settings.ts';
import { startProduct } from '../../src/product.ts';
import { beginRound } from '../faults/rounds.ts';
import { createVisitor } from '../faults/visitor.ts';

/** R6: the agency is down for an hour, on a clock that is moved; the whole product runs in this process. */

const MINUTE_MS = 60_000;
const CASES = 40;
const CLIENT = { clientId: 'test-client', clientSecret: 'test-secret' };

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

test('R6: after an hour without the agency every check is made up for, users saw why meanwhile, and no user is notified twice', {
  timeout: 120_000,
}, async () => {
  await start();
  const visitor = await createVisitor(url);
  await fault('unavailable');
  const { progress, verdict } = await beginRound({ database }, 1, CASES);
  const downUntilMs = clock.nowMs() + 60 * MINUTE_MS;
  await letTimePass(2_000, () => clock.nowMs() < downUntilMs);
  expect(await progress()).toBe(0);
  expect(await visitor.ask('saved cases')).toMatchObject({ status: 200 });
  const lookUp = visitor.ask('look-up');
  let answered = false;
  void lookUp.then(() => {
    answered = true;
  });
  await letTimePass(500, () => !answered);
  expect(await lookUp).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[1-9]/) });

  await fault('none');
  const backMs = clock.nowMs();
  // Calls are real now: at a hundred times their speed and no more, or a busy machine lets leases end under them.
  const goesOn = async () => (await progress()) < 1 && clock.nowMs() < backMs + 120 * MINUTE_MS;
  await letTimePass(2_000, goesOn, 20);
  expect(await verdict()).toEqual({ missing: 0, doubled: 0 });
  expect(clock.nowMs() - backMs).toBeLessThanOrEqual(60 * MINUTE_MS);
});
