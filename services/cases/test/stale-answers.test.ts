import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CasesFixture, type FixtureOptions, startCases } from './cases-fixture.ts';

const NUMBER = 'EAC9999103403';
const NEVER_SEEN = 'EAC9999103404';
const UNUSED_PORT_HOST = '127.0.0.1';
/** Nothing is fresh, and no call waits. */
const SETTINGS = { FRESHNESS_SECONDS: '0', BUDGET_WAIT_MS: '0' };

let database: TestDatabase;
let stored: CaseStatusResult;
let cases: CasesFixture;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => cases.stop());
afterAll(() => database.drop());

/** One process has stored an answer; what follows is another's, with a budget and an agency of its own. */
beforeEach(async () => {
  const first = await startCases({ database, clock: systemClock, env: SETTINGS });
  stored = await first.found(NUMBER);
  await first.stop();
  await database.query('TRUNCATE cases.agency_budget_days, cases.agency_budget_users');
});

async function start(options: FixtureOptions): Promise<void> {
  cases = await startCases({
    database,
    clock: systemClock,
    ...options,
    env: { ...SETTINGS, ...options.env },
  });
}

async function unusedUrl(protocol: string): Promise<string> {
  const server = createServer().listen(0, UNUSED_PORT_HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return `${protocol}://${UNUSED_PORT_HOST}:${port}`;
}

/** What was stored comes with its time and the reason; what was never stored, as an error that says when to come back. */
async function expectStored(
  code: string,
  status: number,
  reason: RegExp,
  agencyMessage?: string,
): Promise<void> {
  const { stale, ...answer } = await cases.found(NUMBER);
  expect(answer).toEqual(stored);
  expect(stale).toEqual({
    code,
    reason: expect.stringMatching(reason),
    messageKey: expect.stringMatching(/^agency-/),
    values: { seconds: expect.any(Number) },
    agencyMessage,
  });
  const refused = await cases.lookUp(NEVER_SEEN);
  expect(refused.status).toBe(status);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await refused.json()).toMatchObject({ code, error: expect.stringMatching(reason) });
}

test('too many calls at once: the stored answer with its time', async () => {
  await start({ env: { AGENCY_CALLS_PER_SECOND: '1', AGENCY_TIMEOUT_MS: '3000' } });
  await cases.fault({ mode: 'timeout', receiptNumber: 'EAC9999103405' });
  const hanging = cases.lookUp('EAC9999103405');
  await expect.poll(async () => (await cases.calls()).total).toBe(1);
  await expectStored('AGENCY_BUSY', 429, /too many people are looking up cases right now/);
  await hanging;
});

test('the day’s calls are spent: the stored answer with its time', async () => {
  await start({ env: { AGENCY_CALLS_PER_DAY: '1', AGENCY_MONITORING_SHARE: '0' } });
  await cases.found('EAC9999103405');
  await expectStored('BUDGET_SPENT', 503, /reached today’s lookup limit/);
});

test('the circuit breaker is open: the stored answer with its time', async () => {
  await start({ clock: systemClock });
  await cases.fault({ mode: 'unavailable' });
  for (let nth = 0; nth < 2; nth += 1) await cases.lookUp('EAC9999103405');
  for (let nth = 0; nth < 2; nth += 1) await cases.lookUp('EAC9999103410');
  const { total } = await cases.calls();
  await expectStored('AGENCY_UNAVAILABLE', 503, /USCIS isn’t responding/);
  expect((await cases.calls()).total).toBe(total);
});

test('the agency is down: the stored answer with its time', async () => {
  await start({ clock: systemClock, agencyUrl: await unusedUrl('http') });
  await expectStored('AGENCY_UNAVAILABLE', 503, /could not be reached/);
});

test('the agency asks for fewer calls: the stored answer with its time', async () => {
  await start({ clock: systemClock });
  await cases.fault({ mode: 'rate-limited' });
  await expectStored('AGENCY_BUSY', 429, /too many/, 'Spike Arrest Violation');
});

test('an answer that waited for the agency, or that it prevents, says whose fault it is', async () => {
  await start({ clock: systemClock });
  const fault = async (receiptNumber: string) =>
    (await cases.lookUp(receiptNumber)).headers.get('x-casewatch-fault');
  expect(await fault(NUMBER)).toBe('agency');
  await cases.fault({ mode: 'unavailable' });
  expect(await fault(NEVER_SEEN)).toBe('agency');
  expect(await fault('not a number')).toBeNull();
});
