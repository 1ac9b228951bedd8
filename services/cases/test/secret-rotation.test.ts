import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { startRollUnderLoad, stopWithTest } from '@casewatch/testing/roll-under-load';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CLIENT, errorOf, startCases } from './cases-fixture.ts';

/** "Rotate secrets" of docs/operations.md, where cases has the secret: of two processes one has it replaced already. */

const NEWER = { clientId: 'next-client', clientSecret: 'next-secret' };
const KNOWN = 'EAC9999103403';
const IN_USE = 'casewatch_agency_key_in_use{keys="next"}';
const REFUSED = 'casewatch_agency_key_refused{keys="next"}';
const SLOW_MACHINE_MS = 10_000;

/** A process with the older credentials, and one with the newer, at an agency that accepts both. */
async function startTwice() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const shared = { database, clock: systemClock };
  // No answer is fresh: each lookup asks the agency.
  const env = { FRESHNESS_SECONDS: '0', BUDGET_WAIT_MS: '10000' };
  const credentials = { AGENCY_CLIENT_ID: NEWER.clientId, AGENCY_CLIENT_SECRET: NEWER.clientSecret };
  const newer = stopWithTest(await startCases({ ...shared, env: { ...env, ...credentials } }));
  const older = stopWithTest(await startCases({ ...shared, env, agencyUrl: newer.agencyUrl }));
  newer.acceptClients(CLIENT, NEWER);
  return { older, newer };
}

test('the credentials at the agency are replaced while it accepts both: no lookup fails', async () => {
  const { older, newer } = await startTwice();
  const asked = new Set<string>();
  const roll = startRollUnderLoad(older, (process) => {
    // An even last digit: the agency has a case.
    const receiptNumber = `EAC${3_000_000_000 + 2 * asked.size}`;
    asked.add(receiptNumber);
    return process.lookUp(receiptNumber);
  });
  await roll.add(newer);
  // Tokens of the older credentials may end at any time.
  await newer.control('DELETE', '/tokens');
  await roll.goOn();
  await roll.remove(older);
  newer.acceptClients(NEWER);
  await newer.control('DELETE', '/tokens');
  await roll.goOn();
  expect(await roll.end()).toEqual([]);
  expect((await newer.calls()).total).toBeGreaterThanOrEqual(asked.size);
});

test('a process with two sets of keys uses the newer, and the older where that is refused: no restart, and no lookup fails', async () => {
  const telemetry = await startScraped();
  const env = {
    FRESHNESS_SECONDS: '0',
    AGENCY_NEXT_CLIENT_ID: NEWER.clientId,
    AGENCY_NEXT_CLIENT_SECRET: NEWER.clientSecret,
    AGENCY_KEY_ISSUED: '2024-01-01',
    AGENCY_KEY_DAYS: '365',
  };
  const cases = stopWithTest(await startCases({ env, telemetry }));
  const keys = async () => {
    const { [IN_USE]: inUse, [REFUSED]: refused } = await telemetry.scrape();
    return { isNewerInUse: inUse, isNewerRefused: refused };
  };
  // The newer ones are not active yet.
  expect((await cases.lookUp(KNOWN)).status).toBe(200);
  expect(await keys()).toEqual({ isNewerInUse: 0, isNewerRefused: 1 });
  cases.acceptClients(NEWER);
  await cases.control('DELETE', '/tokens');
  await cases.clock.advance(3_600_000);
  expect((await cases.lookUp(KNOWN)).status).toBe(200);
  expect(await keys()).toEqual({ isNewerInUse: 1, isNewerRefused: 0 });
  // Taken back.
  cases.acceptClients(CLIENT);
  await cases.control('DELETE', '/tokens');
  expect((await cases.lookUp(KNOWN)).status).toBe(200);
  expect(await keys()).toEqual({ isNewerInUse: 0, isNewerRefused: 1 });
  expect(
    Object.keys(await telemetry.scrape()).filter((name) =>
      /^casewatch_agency_key_(days_left|unused)/.test(name),
    ),
  ).toHaveLength(3);
  expect((await cases.logged()).map(({ agencyCalls }) => agencyCalls)).toEqual([1, 1, 2]);
});

test('where the agency accepts one only, stored results are shown until a process with it calls, and other cases have a time to come back', async () => {
  const { older, newer } = await startTwice();
  const stored = await newer.found(KNOWN);
  // The one with the older credentials takes over.
  const epoch = async () => Number((await newer.caller())?.epoch ?? 0);
  const before = await epoch();
  await newer.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND application_name = 'casewatch-agency-caller' AND datname = current_database()`,
  );
  await vi.waitFor(async () => expect(await epoch()).toBeGreaterThan(before), SLOW_MACHINE_MS);
  newer.acceptClients(NEWER);

  for (const process of [older, newer]) {
    const { stale, ...shown } = await process.found(KNOWN);
    const { agencyMessage, ...reason } = stale ?? {};
    // Whose call it was has the agency's words.
    expect([undefined, 'Invalid Client Credentials']).toContain(agencyMessage);
    expect(reason).toEqual({
      code: 'AGENCY_UNAVAILABLE',
      reason: expect.any(String),
      messageKey: 'agency-credentials',
      values: { seconds: expect.any(Number) },
    });
    expect(shown.caseStatus).toBe(stored.caseStatus);
  }
  const refused = await errorOf(await newer.lookUp('EAC9999103404'));
  expect(refused).toMatchObject({ status: 503, code: 'AGENCY_UNAVAILABLE', retryAfter: expect.any(String) });
  expect(refused.error).toContain('We can’t connect to USCIS right now.');
  expect(await older.check(['EAC9999103404'])).toMatchObject([
    { outcome: 'failed', code: 'AGENCY_UNAVAILABLE' },
  ]);

  await older.stop();
  expect((await newer.lookUp('EAC9999103404')).status).toBe(200);
  expect((await newer.found(KNOWN)).stale).toBeUndefined();
});
