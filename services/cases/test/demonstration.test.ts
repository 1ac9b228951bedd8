import type { DemonstratedCase } from '@casewatch/contracts/agency-demonstration';
import { adminActed, caseObserved } from '@casewatch/contracts/events';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { afterEach, expect, test } from 'vitest';
import { ADA, BOB, type CasesFixture, type FixtureOptions, startCases } from './cases-fixture.ts';
import {
  DEMO_ENV,
  demonstrateAt,
  GRACE,
  NUMBER,
  PATH,
  refusalOf,
  SESSION,
  sendDemonstration,
} from './demonstration-fixture.ts';

let cases: CasesFixture;
afterEach(() => cases.stop());
const start = async (options: FixtureOptions = {}) => {
  cases = await startCases({ env: DEMO_ENV, ...options });
};

const demonstrate = (wanted: DemonstratedCase, receiptNumber?: string) =>
  demonstrateAt(cases, wanted, receiptNumber);

test('a valid case shows the token, the call, what was read and stored, and what a user sees', async () => {
  await start();
  const { record } = await demonstrate('valid');
  expect(record).toMatchObject({
    outcome: 'shown',
    receiptNumber: NUMBER,
    agency: { baseUrl: cases.agencyUrl, kind: 'simulator' },
    token: {
      request: {
        method: 'POST',
        url: `${cases.agencyUrl}/oauth/accesstoken`,
        headers: { demo_id: '4711', 'X-Key': '[masked]', 'X-Short': '[masked]' },
        body: 'grant_type=client_credentials&client_id=[masked]&client_secret=[masked]',
      },
      answer: { status: 200 },
    },
    status: {
      request: {
        method: 'GET',
        url: `${cases.agencyUrl}/case-status/${NUMBER}`,
        headers: { accept: 'application/json', authorization: 'Bearer [masked]', demo_id: '4711' },
      },
      answer: { status: 200, headers: { 'content-type': expect.stringContaining('json') }, isCut: false },
    },
    read: { fields: { status: 'Case Was Approved' } },
    isStored: true,
    shown: { result: { receiptNumber: NUMBER, caseStatus: 'Case Was Approved' } },
  });
  expect(JSON.parse(record.token?.answer?.body ?? '')).toMatchObject({
    access_token: '[masked]',
    client_id: '[masked]',
    expires_in: '1799',
  });
  expect(record.status?.answer?.body).toContain('case_status');
  expect((await cases.found(NUMBER)).caseStatus).toBe('Case Was Approved');
  expect((await cases.calls(NUMBER)).total).toBe(1);
  expect((await cases.eventsOf(caseObserved)).map(({ outcome }) => outcome)).toEqual(['observed']);
});

test.each([
  ['not-recognized', 404, 'ZZZ9999999999', 'RECEIPT_NOT_RECOGNIZED'],
  ['malformed', 422, 'ZZZ999999999', 'AGENCY_REFUSED'],
  ['unauthorized', 401, NUMBER, 'AGENCY_UNAVAILABLE'],
] as const)(
  '%s is answered %i by the agency itself, and nothing is stored',
  async (wanted, status, sent, code) => {
    await start();
    const { record } = await demonstrate(wanted);
    expect(record).toMatchObject({
      outcome: 'shown',
      receiptNumber: sent,
      isStored: false,
      status: { answer: { status } },
    });
    expect(record.token === undefined).toBe(wanted === 'unauthorized');
    expect(refusalOf(record)).toMatchObject({ code, agencyMessage: expect.any(String) });
    expect(record.read).toMatchObject({ agencyMessage: refusalOf(record)?.agencyMessage });
    expect(await cases.database.query('SELECT FROM cases.case_snapshots')).toEqual([]);
    expect(await cases.eventsOf(caseObserved)).toEqual([]);
    expect((await cases.calls()).total).toBe(1);
  },
);

test('unavailable and throttled show what the agency answers, and say so where it answers otherwise', async () => {
  await start();
  expect((await demonstrate('unavailable')).record).toMatchObject({ outcome: 'not-shown', isStored: true });
  await cases.fault({ mode: 'unavailable' });
  const { record } = await demonstrate('unavailable');
  expect(record).toMatchObject({ outcome: 'shown', isStored: false, status: { answer: { status: 503 } } });
  expect(record.status?.answer?.body).toMatch(/^\s*\n\s*\{/);
  expect(record.read).toMatchObject({ code: 'unavailable', agencyMessage: expect.any(String) });
  await cases.fault({ mode: 'rate-limited' });
  const throttled = await demonstrate('throttled');
  expect(throttled.record).toMatchObject({ outcome: 'shown', status: { answer: { status: 429 } } });
});

test('at the agency itself no throttled call is made: only breaking the limit would provoke it', async () => {
  await start({ agencyUrl: 'https://api-int.uscis.gov' });
  const { record } = await demonstrate('throttled');
  expect(record).toEqual({
    case: 'throttled',
    receiptNumber: NUMBER,
    startedAt: expect.any(String),
    endedAt: expect.any(String),
    agency: { baseUrl: 'https://api-int.uscis.gov', kind: 'sandbox' },
    outcome: 'not-provoked',
    isStored: false,
  });
});

test('with two sets of keys it requests its token with the one that the agency takes, also before any lookup', async () => {
  const next = { AGENCY_NEXT_CLIENT_ID: 'not-active-yet', AGENCY_NEXT_CLIENT_SECRET: 'next-secret' };
  await start({ env: { ...DEMO_ENV, ...next } });
  expect((await demonstrate('valid')).record).toMatchObject({
    outcome: 'shown',
    token: { answer: { status: 200 } },
  });
});

test('each is a row of the request log and of the audit trail, by the administrator', async () => {
  await start();
  await demonstrate('valid');
  await demonstrate('unauthorized');
  const logged = await cases.logged();
  expect(logged.map(({ outcome, code, statusCode }) => [outcome, code, statusCode])).toEqual([
    ['answered', undefined, 200],
    ['error', 'credentials', 401],
  ]);
  const by = { origin: 'demonstration', source: 'user', userId: GRACE, userFirstName: 'Grace Hopper' };
  for (const row of logged) expect(row).toMatchObject({ ...by, receiptNumber: NUMBER, agencyCalls: 1 });
  expect(await cases.eventsOf(adminActed)).toMatchObject(
    ['valid', 'unauthorized'].map((wanted) => ({
      action: 'agency.demonstrated',
      actor: 'Grace Hopper',
      actorId: GRACE,
      details: { case: wanted, receiptNumber: 'EAC******3403' },
    })),
  );
});

test('provoked errors hold nobody back, and the token of all others stays', async () => {
  await start();
  await cases.found(NUMBER, ADA);
  const { tokensIssued: before } = (await cases.control('GET', '')) as { tokensIssued: number };
  for (let nth = 0; nth < 6; nth += 1) await demonstrate('unauthorized', `EAC99991034${10 + nth}`);
  await cases.fault({ mode: 'rate-limited', count: 1 });
  await demonstrate('throttled');
  expect(await cases.caller()).toMatchObject({ pauses: 0, paused_until: null });
  expect((await cases.found('EAC9999103404', BOB)).stale).toBeUndefined();
  expect(((await cases.control('GET', '')) as { tokensIssued: number }).tokensIssued).toBe(before + 1);
});

test('a 429 that was not meant to come pauses the calls, as in any lookup', async () => {
  await start();
  await cases.fault({ mode: 'rate-limited', count: 1 });
  expect((await demonstrate('valid')).record).toMatchObject({
    outcome: 'not-shown',
    read: { code: 'rate-limited' },
  });
  await expect.poll(async () => (await cases.caller())?.pauses).toBe(1);
});

test('while the agency is down for everyone, a demonstration shows its 503', async () => {
  // The clock stands still: the agency is not tried again.
  await start({ env: { ...DEMO_ENV, AGENCY_TIMEOUT_MS: '300' } });
  await cases.fault({ mode: 'timeout' });
  await Promise.all(
    ['10', '11', '12', '13', '14'].map((end) =>
      cases.lookUp(`EAC99991034${end}`, {
        userId: `11111111-1111-4111-8111-1111111111${end}`,
        tier: 'free',
        name: 'Ada',
      }),
    ),
  );
  await cases.fault({ mode: 'unavailable' });
  const calls = (await cases.calls()).total;
  expect((await cases.lookUp(NUMBER, BOB)).status).toBe(503);
  expect((await cases.calls()).total).toBe(calls);
  expect((await demonstrate('unavailable')).record).toMatchObject({ outcome: 'shown' });
});

test('it keeps to the pace and to the day’s quota: without a call left none is made', async () => {
  const budget = { AGENCY_CALLS_PER_DAY: '2', AGENCY_MONITORING_SHARE: '0', AGENCY_CALLS_PER_SECOND: '1' };
  await start({ env: { ...DEMO_ENV, ...budget }, clock: systemClock });
  await Promise.all([demonstrate('valid'), cases.found('EAC9999103404', ADA)]);
  const { record } = await demonstrate('unauthorized');
  expect(record).toMatchObject({ outcome: 'not-shown', read: { code: 'budget-spent' }, isStored: false });
  expect(record.status).toBeUndefined();
  expect(await cases.calls()).toEqual({ total: 2, maxInAnySecond: 1 });
  expect((await cases.logged()).at(-1)).toMatchObject({
    outcome: 'quota',
    code: 'budget-spent',
    agencyCalls: 0,
  });
});

test('a lookup of the same case does not share the call of a demonstration', async () => {
  await start();
  await cases.control('PUT', '/latency', { ms: 100 });
  const [{ record }, found] = await Promise.all([demonstrate('unauthorized'), cases.found(NUMBER, ADA)]);
  expect(record.outcome).toBe('shown');
  expect(found.caseStatus).toBe('Case Was Approved');
});

test('it is for owners: others are refused before any call, and so is what is no receipt number', async () => {
  await start();
  const body = { case: 'valid', receiptNumber: NUMBER };
  expect((await cases.call('POST', PATH, { body })).status).toBe(401);
  expect((await cases.call('POST', PATH, { body, as: ADA })).status).toBe(401);
  for (const adminRole of ['auditor', 'survey-editor'] as const) {
    expect((await cases.call('POST', PATH, { body, adminSession: SESSION, adminRole })).status).toBe(403);
  }
  for (const bad of [
    { ...body, receiptNumber: 'EAC999910340' },
    { ...body, receiptNumber: '../oauth/accesstoken' },
    { ...body, case: 'anything' },
    { ...body, token: 'mine' },
    {},
  ]) {
    expect((await cases.call('POST', PATH, { adminSession: SESSION, body: bad })).status).toBe(400);
  }
  expect((await cases.calls()).total).toBe(0);
});

test('an administrator has 12 within a minute, whatever the session', async () => {
  await start();
  const statuses: number[] = [];
  for (let nth = 0; nth < 13; nth += 1) statuses.push((await sendDemonstration(cases, 'malformed')).status);
  expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 429]);
  expect((await cases.calls()).total).toBe(12);
  const body = { case: 'malformed', receiptNumber: NUMBER };
  expect((await cases.call('POST', PATH, { adminSession: SESSION, body })).status).toBe(200);
});

test('the process that calls makes it for an administrator at another one', async () => {
  const database = await createTestDatabase();
  const first = await startCases({ env: DEMO_ENV, database });
  await start({ database, agencyUrl: first.agencyUrl });
  expect((await demonstrate('valid')).record.outcome).toBe('shown');
  expect((await first.calls()).total).toBe(1);
  await first.stop();
});
