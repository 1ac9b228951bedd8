import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { caseObserved } from '@casewatch/contracts/events';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createMovedClock } from '@casewatch/testing/moved-clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BOB, type CasesFixture, errorOf, startCases } from './cases-fixture.ts';

const SANDBOX = 'EAC9999103403';
const REST_MS = 60_000;

const DAY_MS = 86_400_000;
/** Longer than a token of the agency lives. */
const TOKEN_MS = 3_600_000;
const SETTINGS = {
  // The first 429 is reported, not waited out.
  BUDGET_WAIT_MS: '0',
  AGENCY_REST_MS: String(REST_MS),
  FRESHNESS_SECONDS: '0',
  NOT_RECOGNIZED_SECONDS: '0',
};

const clock = createMovedClock();
let cases: CasesFixture;
beforeAll(async () => {
  cases = await startCases({ clock, env: SETTINGS });
});
beforeEach(async () => {
  // A day later, after a lookup that succeeded and with a token that has expired: no pause, no rest, nothing stored.
  await cases.control('DELETE', '');
  passTime(DAY_MS);
  await cases.found(SANDBOX);
  passTime(TOKEN_MS);
  await cases.control('DELETE', '/calls');
  await cases.database.query('TRUNCATE cases.case_snapshots CASCADE');
  await cases.forgetPublished();
});
afterAll(() => cases.stop());

const passTime = (ms: number) => clock.move(ms);

/** What the store knows of a receipt number. */
const stored = (receiptNumber: string) =>
  cases.database.query('SELECT status FROM cases.case_snapshots WHERE receipt_number = $1', [receiptNumber]);

const tellsNoStatus = async (receiptNumber: string) => {
  expect(await stored(receiptNumber)).toEqual([]);
  expect(await cases.eventsOf(caseObserved)).toEqual([]);
};

test('a missing history is an empty one', async () => {
  const found = await cases.found('EAC9999103406');
  expect(found.histCaseData).toEqual([
    {
      caseStatus: found.caseStatus,
      statusHistDate: found.caseLastUpdated,
      source: 'observed',
      firstObservedAt: found.observedAt,
      textEs: found.statusEs,
    },
  ]);
});

test('receipts filed online have no dates', async () => {
  const found = await cases.found('IOE0912345678');
  expect(found).toMatchObject({
    caseCreationDate: null,
    caseLastUpdated: null,
    channelType: 'Online (IOE)',
  });
  expect(found.histCaseData[0]).toMatchObject({ caseStatus: found.caseStatus, statusHistDate: null });
});

test('both ways of writing a form are shown as one', async () => {
  const numbers = ['0', '2', '4', '6', '8'].flatMap((last) => [`WAC20900000${last}0`, `SRC21900000${last}2`]);
  const found = await Promise.all(numbers.map((number) => cases.found(number)));
  const written = (await cases.logged()).map(
    (call) => /"formType":"([^"]+)"/.exec(call.responsePayload)?.[1] ?? '',
  );
  expect(written.some((form) => !form.includes('-'))).toBe(true);
  for (const { formType, applicationOrPetitionType } of found) {
    expect(formType).toMatch(/^[IN]-\d+[A-Z]*$/);
    expect(applicationOrPetitionType).not.toBe(`Form ${formType}`);
  }
});

test('descriptions come as plain text with separate https links', async () => {
  const found = await cases.found(SANDBOX);
  // The log of another test's call may come late.
  await expect
    .poll(async () => (await cases.logged()).map(({ responsePayload }) => responsePayload))
    .toContainEqual(expect.stringContaining('<a '));
  expect(found.caseDescription).not.toMatch(/<|&[a-z]+;/);
  expect(found.descriptionLinks.length).toBeGreaterThan(0);
  for (const { text, href } of found.descriptionLinks) {
    expect(found.caseDescription).toContain(text);
    expect(href).toMatch(/^https:\/\//);
  }
});

test.each([
  ['invalid-json', 2, /could not be read, so no status is shown/],
  ['changed-shape', 2, /could not be read, so no status is shown/],
  ['html', 2, /under maintenance/],
  ['unavailable', 2, /closed or down/],
  ['reset', 2, /could not be reached/],
  ['unauthorized', 2, /can’t connect to USCIS/],
])('%s is a failure of its own, never a status', async (mode, calls, text) => {
  await cases.fault({ mode });
  const error = await errorOf(await cases.lookUp('EAC1000000002'));
  expect(error).toMatchObject({ status: 503, code: 'AGENCY_UNAVAILABLE' });
  expect(error.error).toMatch(text);
  expect(Number(error.retryAfter)).toBeGreaterThan(0);
  expect((await cases.calls()).total).toBe(calls);
  await tellsNoStatus('EAC1000000002');
});

test.each([
  ['deeply-nested', 'nested more than 20 levels'],
  ['huge', 'body larger than 1048576 bytes'],
  ['endless', 'body larger than 1048576 bytes'],
  ['huge-headers', 'headers larger than 16384 bytes'],
  ['wrong-charset', 'not UTF-8'],
  ['nul-bytes', 'not JSON'],
])('%s is unreadable: no status, the reason in the log, and others do not notice', async (mode, reason) => {
  await cases.found('EAC1000000024');
  for (const receiptNumber of ['EAC1000000002', 'EAC1000000024']) await cases.fault({ mode, receiptNumber });
  const [hostile, stale, other, alive] = await Promise.all([
    cases.lookUp('EAC1000000002').then(errorOf),
    cases.found('EAC1000000024'),
    cases.lookUp('EAC1000000026', BOB),
    fetch(new URL('/livez', cases.url)),
  ]);
  expect(hostile).toMatchObject({ status: 503, code: 'AGENCY_UNAVAILABLE', retryAfter: '30' });
  expect(hostile.error).toMatch(/temporarily unavailable for this case.*could not be read/);
  expect(stale.stale?.reason).toBe(hostile.error);
  expect(stale.observedAt).toBeDefined();
  expect([other.status, alive.status]).toEqual([200, 200]);
  expect(await stored('EAC1000000002')).toEqual([]);
  const calls = await cases.logged();
  const logged = calls.filter((call) => call.receiptNumbers.includes('EAC1000000002'));
  expect(logged).toEqual([expect.objectContaining({ success: false, agencyCalls: 2 })]);
  for (const { responsePayload } of logged.flatMap((one) => [one, ...one.earlierCalls])) {
    expect(responsePayload.slice(0, 200)).toContain(reason);
    expect(responsePayload.length).toBeLessThanOrEqual(4_001);
  }
});

test.each(['angle-brackets', 'long-history'])('%s in the history hides no status', async (mode) => {
  const { caseStatus } = await cases.found('EAC1000000002');
  await cases.fault({ mode, receiptNumber: 'EAC1000000002' });
  const found = await cases.found('EAC1000000002');
  expect(found).toMatchObject({ caseStatus });
  expect(found.stale).toBeUndefined();
  expect(found.histCaseData.length).toBeLessThanOrEqual(600);
});

test('no answer in time is a failure of its own, never a status', async () => {
  const own = await startCases({ clock: systemClock, env: { AGENCY_TIMEOUT_MS: '1000' } });
  await own.fault({ mode: 'timeout' });
  const error = await errorOf(await own.lookUp('EAC1000000002'));
  expect(error).toMatchObject({ status: 503, code: 'AGENCY_UNAVAILABLE' });
  expect(error.error).toMatch(/temporarily unavailable.*did not answer in time/);
  expect(Number(error.retryAfter)).toBeGreaterThan(0);
  expect((await own.calls()).total).toBe(1);
  expect(await own.eventsOf(caseObserved)).toEqual([]);
  await own.stop();
});

test('a receipt number whose answer is never JSON is a failure, and costs the others nothing', async () => {
  const broken = 'EAC9999103400';
  await cases.fault({ mode: 'invalid-json', receiptNumber: broken });
  for (let round = 0; round < 4; round += 1) {
    expect((await cases.lookUp(broken)).status).toBe(503);
  }
  expect((await cases.lookUp(SANDBOX)).status).toBe(200);
  expect(await stored(broken)).toEqual([]);
  expect(await cases.eventsOf(caseObserved)).toMatchObject([{ receiptNumber: SANDBOX }]);
});

test.each(['unavailable', 'reset', 'invalid-json', 'html'])(
  'one %s is overcome by a second try',
  async (mode) => {
    await cases.fault({ mode, count: 1 });
    expect((await cases.lookUp('EAC1000000004')).status).toBe(200);
    expect((await cases.calls()).total).toBe(2);
  },
);

test.each(['flat', 'message', 'nested', 'list'])(
  'an error in the shape "%s" is understood',
  async (shape) => {
    await cases.fault({ mode: 'not-found', shape, count: 1 });
    expect((await cases.lookUp('EAC1000000006')).status).toBe(404);
    await cases.fault({ mode: 'refused', shape, count: 1 });
    const refused = await errorOf(await cases.lookUp('EAC1000000006'));
    expect(refused).toMatchObject({ status: 422, code: 'AGENCY_REFUSED' });
    expect(refused.agencyMessage).toContain('it should be 13 characters');
    await cases.fault({ mode: 'rate-limited', shape, count: 1 });
    expect(await errorOf(await cases.lookUp('EAC1000000006'))).toMatchObject({
      status: 429,
      code: 'AGENCY_BUSY',
      retryAfter: '1',
    });
    expect((await cases.calls()).total).toBe(3);
  },
);

test('a token that is withdrawn is replaced once, and the lookup succeeds', async () => {
  await cases.found(SANDBOX);
  await cases.control('DELETE', '/tokens');
  expect((await cases.lookUp('EAC1000000008')).status).toBe(200);
  expect((await cases.calls('EAC1000000008')).total).toBe(2);
});

test('many lookups need one token', async () => {
  await Promise.all(['02', '04', '06', '08', '10'].map((end) => cases.found(`EAC10000001${end}`)));
  expect(await cases.control('GET', '')).toMatchObject({ tokensIssued: 1 });
});

test('a token is replaced before it ends', async () => {
  await cases.found('EAC1000000202');
  const before = (await cases.control('GET', '')) as { tokensIssued: number };
  passTime(1_745_000);
  await cases.found('EAC1000000204');
  expect(await cases.control('GET', '')).toMatchObject({ tokensIssued: before.tokensIssued + 1 });
  expect((await cases.calls('EAC1000000204')).total).toBe(1);
});

test.each(['unauthorized', 'refused', 'not-found'])(
  'a token endpoint that says %s is about us',
  async (mode) => {
    await cases.fault({ mode, endpoint: 'token' });
    const error = await errorOf(await cases.lookUp('EAC1000000010'));
    expect(error).toMatchObject({ status: 503, code: 'AGENCY_UNAVAILABLE' });
    expect(error.error).toMatch(/can’t connect to USCIS/);
    expect((await cases.calls()).total).toBe(0);
  },
);

test('an agency that fails again and again is left alone, then tried again', async () => {
  await cases.fault({ mode: 'unavailable' });
  for (let round = 0; round < 3; round += 1) await cases.lookUp('EAC1000000012');
  const before = (await cases.calls()).total;
  const error = await errorOf(await cases.lookUp('EAC1000000012'));
  expect(error).toMatchObject({ status: 503, code: 'AGENCY_UNAVAILABLE', retryAfter: '60' });
  expect(error.error).toMatch(/USCIS isn’t responding/);
  expect((await cases.calls()).total).toBe(before);
  await cases.fault({ mode: 'none' });
  passTime(REST_MS);
  expect((await cases.lookUp('EAC1000000012')).status).toBe(200);
});

test('a case for which the agency always fails holds back nothing else, whoever asks for it', async () => {
  const [bad, good] = ['EAC1000000012', 'EAC1000000014'];
  await cases.fault({ mode: 'unavailable', receiptNumber: bad });
  for (let round = 0; round < 4; round += 1) {
    await cases.lookUp(bad);
    await cases.check([bad]);
  }
  expect((await errorOf(await cases.lookUp(bad, BOB))).error).toMatch(/USCIS isn’t responding/);
  const [ofBad, ofGood] = await cases.check([bad, good]);
  // Without a time, which would hold back all checks.
  expect(ofBad).toEqual({ receiptNumber: bad, outcome: 'failed', code: 'AGENCY_UNAVAILABLE' });
  expect(ofGood).toMatchObject({ outcome: 'observed' });
  expect((await cases.lookUp('EAC1000000016')).status).toBe(200);
});

test('cases of one user for which the agency always fails do not keep another user from it', async () => {
  await cases.fault({ mode: 'unavailable' });
  for (const bad of ['EAC1000000012', 'EAC1000000014']) {
    for (let round = 0; round < 2; round += 1) await cases.lookUp(bad);
  }
  await cases.fault({ mode: 'none' });
  expect((await errorOf(await cases.lookUp('EAC1000000016'))).error).toMatch(/USCIS isn’t responding/);
  expect((await cases.lookUp('EAC1000000016', BOB)).status).toBe(200);
});

test('a 429 pauses all calls, longer each time, and never opens the breaker', async () => {
  await cases.fault({ mode: 'rate-limited' });
  const waits: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const error = await errorOf(await cases.lookUp('EAC1000000014'));
    expect(error).toMatchObject({ status: 429, code: 'AGENCY_BUSY' });
    waits.push(Number(error.retryAfter));
    passTime(Number(error.retryAfter) * 1_000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30]);
  await cases.fault({ mode: 'none' });
  expect((await cases.lookUp('EAC1000000014')).status).toBe(200);
});

test('during a pause no call is made', async () => {
  await cases.fault({ mode: 'rate-limited' });
  for (let round = 0; round < 4; round += 1) {
    const error = await errorOf(await cases.lookUp('EAC1000000016'));
    if (round < 3) passTime(Number(error.retryAfter) * 1_000);
  }
  const before = (await cases.calls()).total;
  const error = await errorOf(await cases.lookUp('EAC1000000018'));
  expect(error).toMatchObject({ status: 429, code: 'AGENCY_BUSY', retryAfter: '8' });
  // A check as well is held back by the agency, not by our budget.
  expect(await cases.check(['EAC1000000018'])).toMatchObject([
    { outcome: 'failed', code: 'AGENCY_BUSY', retryAfterSeconds: expect.closeTo(8, 0) },
  ]);
  expect((await cases.calls()).total).toBe(before);
});

test('when the agency counts our day as spent, it says so and is left alone', async () => {
  await cases.control('PUT', '/limits', { callsPerDay: 0 });
  const error = await errorOf(await cases.lookUp('EAC1000000020'));
  expect(error).toMatchObject({ status: 503, code: 'BUDGET_SPENT' });
  expect(error.error).toMatch(/today\. Please try again in \d+ (?:hours|minutes)\.$/);
  expect(Number(error.retryAfter)).toBeGreaterThan(60);
  const next = await errorOf(await cases.lookUp('EAC1000000022', BOB));
  expect(next).toMatchObject({ status: 503, code: 'BUDGET_SPENT', error: error.error });
  expect(await cases.check(['EAC1000000022'])).toMatchObject([
    { outcome: 'failed', code: 'BUDGET_SPENT', retryAfterSeconds: expect.closeTo(300, 0) },
  ]);
  expect((await cases.calls()).total).toBe(1);
  // The quota was raised: the next pause is one like any other again.
  await cases.control('PUT', '/limits', { callsPerDay: 1_000 });
  passTime(300_000);
  await cases.found('EAC1000000022');
  await cases.fault({ mode: 'rate-limited' });
  await cases.lookUp('EAC1000000020');
  expect(await errorOf(await cases.lookUp('EAC1000000024'))).toMatchObject({ code: 'AGENCY_BUSY' });
});

test('an older answer is shown, marked with its age and the reason, while the agency can’t be asked', async () => {
  const before = await cases.found('EAC1000000024');
  for (const [mode, code] of [
    ['unavailable', 'AGENCY_UNAVAILABLE'],
    ['invalid-json', 'AGENCY_UNAVAILABLE'],
    ['rate-limited', 'AGENCY_BUSY'],
  ]) {
    await cases.fault({ mode });
    const { stale, ...answer } = await cases.found('EAC1000000024');
    expect(answer).toEqual(before);
    expect(stale).toMatchObject({ code, reason: expect.stringMatching(/temporarily unavailable/) });
  }
  await cases.fault({ mode: 'none' });
  passTime(5_000);
  expect((await cases.found('EAC1000000024')).stale).toBeUndefined();
});

describe('behind an agency of our own', () => {
  let answers: (path: string) => { status: number; body: string };
  let server: Server;
  let own: CasesFixture;
  beforeAll(async () => {
    const listening = await listenWith((path) =>
      path.startsWith('/oauth')
        ? { status: 200, body: '{"access_token":"t","expires_in":"1799"}' }
        : answers(path),
    );
    server = listening.server;
    own = await startCases({ agencyUrl: listening.url, env: SETTINGS, clock: systemClock });
  });
  beforeEach(() => own.database.query('TRUNCATE cases.case_snapshots CASCADE'));
  afterAll(async () => {
    await own.stop();
    server.close();
  });

  test('an error page of something on the way is not "not recognized"', async () => {
    answers = () => ({ status: 404, body: '<html><body>Case Was Approved? Not Found</body></html>' });
    const error = await errorOf(await own.lookUp(SANDBOX));
    expect(error).toMatchObject({ status: 503, code: 'AGENCY_UNAVAILABLE' });
  });

  test.each([
    ['about another case', { receiptNumber: 'EAC9999103404' }],
    ['without a title', { current_case_status_text_en: ' ' }],
    ['with a title that is no text', { current_case_status_text_en: 7 }],
  ])('an answer %s is not believed', async (_name, change) => {
    const answer = {
      receiptNumber: SANDBOX,
      formType: 'I-130',
      current_case_status_text_en: 'Case Was Approved',
      current_case_status_desc_en: 'On <b>September 5</b>, 2023',
      hist_case_status: null,
    };
    let sent: unknown = answer;
    answers = () => ({
      status: 200,
      body: JSON.stringify({ case_status: sent, message: 'Query was successful!' }),
    });
    const good = await own.found(SANDBOX);
    expect(good.caseDescription).toBe('On September 5, 2023');
    sent = { ...answer, receiptNumber: 'EAC*999103403' };
    expect((await own.found(SANDBOX)).stale).toBeUndefined();
    sent = { ...answer, ...change };
    expect((await own.found(SANDBOX)).stale).toMatchObject({ code: 'AGENCY_UNAVAILABLE' });
  });
});

test.each([
  ['a title of 1,001 characters', { current_case_status_text_en: 'x'.repeat(1_001) }],
  ['a title of 301 characters as text', { current_case_status_text_en: `<b>${'x'.repeat(301)}</b>` }],
  ['a title that is only hidden text', { current_case_status_text_en: '<script>Case Was Approved</script>' }],
])('an answer with %s is not believed', async (_name, change) => {
  const { own, send, stop } = await startWithOwnAgency();
  send(change);
  expect(await errorOf(await own.lookUp(SANDBOX))).toMatchObject({ status: 503, code: 'AGENCY_UNAVAILABLE' });
  expect(await own.eventsOf(caseObserved)).toEqual([]);
  await stop();
});

test('a date is shown without control characters, and with others in place of what can’t be stored', async () => {
  const { own, send, stop } = await startWithOwnAgency();
  send({
    submittedDate: 'soon\u0000',
    modifiedDate: '\ud83d',
    hist_case_status: [{ date: '\u00002025-11-01', completed_text_en: 'Case Was Received' }],
  });
  expect(await own.found(SANDBOX)).toMatchObject({
    caseCreationDate: 'soon',
    caseLastUpdated: '\ufffd',
    histCaseData: [{ caseStatus: 'Case Was Approved' }, { statusHistDate: '2025-11-01' }],
  });
  await stop();
});

test('a link to a host that is not the agency’s is text, also one that was stored before', async () => {
  const { own, url, send, stop } = await startWithOwnAgency();
  const evil = '<a href="https://evil.example/">https://www.uscis.gov/account</a>';
  send({ current_case_status_desc_en: `Sign in at ${evil} or <a href="https://my.uscis.gov/">here</a>.` });
  const allowed = { text: 'here', href: 'https://my.uscis.gov/' };
  expect(await own.found(SANDBOX)).toMatchObject({
    caseDescription: 'Sign in at https://www.uscis.gov/account or here.',
    descriptionLinks: [allowed],
  });
  await own.database.query('UPDATE cases.case_snapshots SET links = links || $1::jsonb', [
    JSON.stringify([{ text: 'https://www.uscis.gov/account', href: 'https://evil.example/' }]),
  ]);
  const later = await startCases({ agencyUrl: url, database: own.database });
  expect((await later.found(SANDBOX)).descriptionLinks).toEqual([allowed]);
  await later.stop();
  await stop();
});

/** The service with an agency of our own that answers about SANDBOX, changed as `send` says. */
async function startWithOwnAgency() {
  let change = {};
  const { server, url } = await listenWith((path) => ({
    status: 200,
    body: path.startsWith('/oauth')
      ? '{"access_token":"t","expires_in":"1799"}'
      : JSON.stringify({
          case_status: {
            receiptNumber: SANDBOX,
            current_case_status_text_en: 'Case Was Approved',
            ...change,
          },
        }),
  }));
  const own = await startCases({ agencyUrl: url, clock: systemClock });
  return {
    own,
    url,
    send: (changed: object) => {
      change = changed;
    },
    stop: async () => {
      await own.stop();
      server.close();
    },
  };
}

/** An agency of our own for what the simulator does not do. */
async function listenWith(
  answer: (path: string) => { status: number; body: string },
): Promise<{ server: Server; url: string }> {
  const server = createServer((req, res) => {
    const { status, body } = answer(req.url ?? '');
    res.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
