import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createMemoryCache } from '@casewatch/shared-state/cache/cache';
import { startRollUnderLoad, stopWithTest } from '@casewatch/testing/roll-under-load';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { expect, onTestFinished, test } from 'vitest';
import { CLIENT, errorOf, startCases } from './cases-fixture.ts';

/** "Rotate secrets" of docs/operations.md, where cases has the secret: of two processes one has it replaced already. */

const NEWER = { clientId: 'next-client', clientSecret: 'next-secret' };
const KNOWN = 'EAC9999103403';

/** A process with the older credentials, and one with the newer, at an agency that accepts both. */
async function startTwice() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const shared = { database, clock: systemClock, cache: createMemoryCache(systemClock) };
  // No answer is fresh: each lookup asks the agency.
  const env = { FRESHNESS_SECONDS: '0' };
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

test('where the agency accepts one only, a process with the other shows stored results, and says of other cases when to come back', async () => {
  const { older, newer } = await startTwice();
  const stored = await newer.found(KNOWN);
  newer.acceptClients(NEWER);
  const roll = startRollUnderLoad(older, (process) => process.lookUp(KNOWN));
  await roll.add(newer);

  const { stale, ...shown } = await older.found(KNOWN);
  expect(stale).toEqual({ code: 'AGENCY_UNAVAILABLE', reason: expect.any(String) });
  expect(shown.caseStatus).toBe(stored.caseStatus);
  const refused = await errorOf(await older.lookUp('EAC9999103404'));
  expect(refused).toMatchObject({ status: 503, code: 'AGENCY_UNAVAILABLE', retryAfter: expect.any(String) });
  expect(refused.error).toContain('temporarily unavailable');
  expect(await older.check(['EAC9999103404'])).toMatchObject([
    { outcome: 'failed', code: 'AGENCY_UNAVAILABLE' },
  ]);
  expect((await newer.lookUp('EAC9999103404')).status).toBe(200);

  await roll.remove(older);
  expect((await newer.found(KNOWN)).stale).toBeUndefined();
  expect(await roll.end()).toEqual([]);
});
