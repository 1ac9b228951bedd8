import { hostname } from 'node:os';
import { type AgencyQueueNow, agencyQueueNow } from '@casewatch/contracts/agency-queue';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { ADA, BOB, type CasesFixture, type FixtureOptions, PAT, startCases } from './cases-fixture.ts';

const PATH = '/api/admin/agency-queue';
const ADMIN = '0198d2f0-6a1c-7a53-8f5e-4a1d3f0c9b11';

let cases: CasesFixture;
afterEach(() => cases.stop());

async function start(options: FixtureOptions = {}) {
  cases = await startCases(options);
}

async function read(adminRole: 'owner' | 'auditor' = 'owner'): Promise<AgencyQueueNow> {
  const answer = await cases.call('GET', PATH, { adminSession: ADMIN, adminRole });
  expect(answer.status).toBe(200);
  return agencyQueueNow.parse(await answer.json());
}

const endCallers = () =>
  cases.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'casewatch-agency-caller' AND datname = current_database()`,
  );

test('an administrator sees which process calls the agency, what waits by kind and who waits most', async () => {
  // The clock stands still: who comes after the call of this second waits.
  await start({ env: { AGENCY_CALLS_PER_SECOND: '1', AGENCY_CALLS_PER_DAY: '500' } });
  await cases.found('EAC9999103403');
  expect(await read()).toMatchObject({
    // Several processes of a host are distinguished.
    caller: { name: `${hostname()}:${process.pid}`, since: expect.any(String) },
    ...{ pausedUntil: null, quotaSpentUntil: null, budget: { callsPerDay: 500, usedToday: 1 } },
    people: { lookups: 0, oldestMs: 0 },
    scheduledChecks: { lookups: 0, oldestMs: 0 },
    longest: [],
  });

  const asked = [
    cases.lookUp('SRC2190000002', BOB),
    cases.lookUp('SRC2190000004', PAT),
    cases.lookUp('SRC2190000006', PAT),
    cases.check(['SRC2190000008']),
  ];
  await expect.poll(() => cases.waiting()).toBe(4);
  const now = await read();
  expect(now).toMatchObject({
    people: { lookups: 3 },
    scheduledChecks: { lookups: 1 },
    longest: [
      { userId: PAT.userId, userFirstName: PAT.name, lookups: 2 },
      { userId: BOB.userId, userFirstName: BOB.name, lookups: 1 },
    ],
  });
  const later = await read();
  expect(later.people.oldestMs).toBeGreaterThan(now.people.oldestMs);

  // An auditor sees how much waits, and not whose it is.
  const masked = await read('auditor');
  expect(masked.people.lookups).toBe(3);
  expect(masked.longest.map(({ lookups }) => lookups)).toEqual([2, 1]);
  expect(JSON.stringify(masked)).not.toMatch(
    new RegExp([PAT, BOB].flatMap((p) => [p.userId, p.name]).join('|')),
  );
  for (let left = 4; left > 0; left -= 1) {
    await cases.clock.advance(1_001);
    await expect.poll(() => cases.waiting()).toBeLessThan(left);
  }
  await Promise.all(asked);
});

test('of more than ten users who wait, those with the most lookups are named', async () => {
  await start();
  // Another caller's, so that this one leaves them alone.
  await cases.database.query(`
    INSERT INTO cases.agency_queue (lookup_id, receipt_number, process_id, user_id, tier, requester, until, epoch)
    SELECT gen_random_uuid(), 'EAC9999103403', gen_random_uuid(), ('00000000-0000-4000-8000-0000000000' || nth)::uuid, 'free',
      jsonb_build_object('source', 'user', 'name', 'User ' || nth), clock_timestamp() + interval '1 hour', 0
    FROM generate_series(10, 21) AS nth, generate_series(10, nth)`);
  const { people, longest } = await read();
  expect(people.lookups).toBe(78);
  expect(longest.map(({ userFirstName, lookups }) => [userFirstName, lookups])).toEqual(
    Array.from({ length: 10 }, (_, nth) => [`User ${21 - nth}`, 12 - nth]),
  );
});

test('a pause and a spent quota are shown until they end', async () => {
  await start();
  await expect.poll(() => cases.caller()).toBeDefined();
  const inMs = (ms: number) => new Date(cases.clock.nowMs() + ms).toISOString();
  const [paused, spent] = [inMs(2_000), inMs(60_000)];
  await cases.database.query(
    `UPDATE cases.agency_caller SET paused_until = '${paused}', quota_spent_until = '${spent}'`,
  );
  expect(await read()).toMatchObject({ pausedUntil: paused, quotaSpentUntil: spent });
  await cases.clock.advance(2_001);
  expect(await read()).toMatchObject({ pausedUntil: null, quotaSpentUntil: spent });
  await cases.clock.advance(60_000);
  expect(await read()).toMatchObject({ pausedUntil: null, quotaSpentUntil: null });
});

test('a process that has lost its session is not shown as the caller', async () => {
  await start();
  await expect.poll(async () => (await read()).caller).not.toBeNull();
  const seen: (string | undefined)[] = [];
  await endCallers();
  await expect
    .poll(
      async () => {
        seen.push((await read()).caller?.since);
        return seen.includes(undefined) && seen.at(-1) !== undefined;
      },
      { interval: 5 },
    )
    .toBe(true);
  expect(seen.at(-1)).not.toBe(seen[0]);
});

test('a process that has the lock and has not begun is not shown under the name of the one before', async () => {
  await start();
  await expect.poll(async () => (await read()).caller).not.toBeNull();
  const next = new pg.Client({ connectionString: cases.database.urlFor('cases') });
  await next.connect();
  try {
    const taken = next.query(`SELECT pg_advisory_lock(hashtextextended('casewatch agency caller', 0))`);
    await endCallers();
    await taken;
    expect((await read()).caller).toBeNull();
  } finally {
    await next.end();
  }
});

test('the queue is for administrators who may read the log', async () => {
  await start();
  expect((await cases.call('GET', PATH, { as: ADA })).status).toBe(401);
  expect((await cases.call('GET', PATH)).status).toBe(401);
  const editor = await cases.call('GET', PATH, { adminSession: ADMIN, adminRole: 'survey-editor' });
  expect(editor.status).toBe(403);
});
