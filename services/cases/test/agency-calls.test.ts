import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { caseObserved } from '@casewatch/contracts/events';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { startScraped } from '@casewatch/testing/scraped-telemetry';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../src/config.ts';
import { type CasesFixture, errorOf, startCases } from './cases-fixture.ts';

const NUMBER = 'EAC9999103403';
const TOKEN = 'tok-of-the-agency';
const HOUR_MS = 3_600_000;
const SLOW_MACHINE_MS = 10_000;
/** Between a failed call and the second try, by the random number below. */
const PAUSE_MS = 210;

const manual = createManualClock();
/** Stands still, and continues by itself only while a second try waits. */
const clock = {
  nowMs: manual.nowMs,
  databaseNowMs: manual.databaseNowMs,
  sleep: (ms: number, signal?: AbortSignal) => (ms === PAUSE_MS ? manual.jump(ms) : manual.sleep(ms, signal)),
};

interface Reply {
  status: number;
  body: unknown;
  type?: string;
  /** How long the answer takes. */
  tookMs?: number;
}

const OK: Reply = {
  status: 200,
  body: { case_status: { receiptNumber: NUMBER, current_case_status_text_en: 'Case Was Approved' } },
};
const CLOSED: Reply = { status: 503, body: { message: 'Closed.' } };
const TOKEN_GIVEN: Reply = { status: 200, body: { access_token: TOKEN, expires_in: '1799' } };

let server: Server;
let url: string;
let telemetry: Awaited<ReturnType<typeof startScraped>>;
let cases: CasesFixture;
/** The next answers about the case, and to requests for a token; then all is well. Undefined breaks the connection. */
let replies: (Reply | undefined)[] = [];
let tokens: Reply[] = [];
let sockets: Socket[] = [];
let requests: { request: IncomingMessage; body: string }[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  requests.push({ request, body });
  const isToken = request.url === '/oauth/accesstoken';
  const reply = isToken ? (tokens.shift() ?? TOKEN_GIVEN) : replies.length > 0 ? replies.shift() : OK;
  if (!reply) return void response.destroy();
  await manual.advance(reply.tookMs ?? 0);
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  response.writeHead(reply.status, { 'content-type': reply.type ?? 'application/json' }).end(text);
}

beforeAll(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.8);
  server = createServer((request, response) => void answer(request, response));
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  telemetry = await startScraped();
  cases = await startCases({
    clock,
    telemetry,
    agencyUrl: `${url}/`,
    env: { FRESHNESS_SECONDS: '0', BUDGET_WAIT_MS: '0', AGENCY_REST_MS: '100' },
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await cases.stop();
  server.close();
  await telemetry.stop();
});
beforeEach(async () => {
  [replies, tokens] = [[], []];
  // The agency has rested, so that a call closes the breaker; then its token ends.
  await manual.advance(HOUR_MS);
  expect((await cases.found(NUMBER)).stale).toBeUndefined();
  await manual.advance(HOUR_MS);
  requests = [];
  await cases.database.query('TRUNCATE cases.case_snapshots CASCADE');
  await cases.forgetPublished();
});

const tokenCalls = () => requests.filter(({ request }) => request.method === 'POST');
const statusCalls = () => requests.filter(({ request }) => request.method === 'GET');

test('the row of a lookup says where its time went, call by call, and shows no secret that the agency repeats', async () => {
  tokens = [{ ...TOKEN_GIVEN, tookMs: 300 }];
  replies = [
    { status: 503, body: { message: `${TOKEN} of test-secret` }, tookMs: 1_000 },
    { ...OK, tookMs: 500 },
  ];
  const startedAtMs = manual.nowMs();
  await cases.found(NUMBER);
  // Rows of lookups without a call come later, also those of the test before.
  const rows = (await cases.logged()).filter(({ agencyCalls }) => agencyCalls !== 0);
  const [{ durationMs, queueMs, endedAt } = { durationMs: 0, queueMs: 0, endedAt: '' }] = rows;
  expect(Math.abs(Date.parse(endedAt) - durationMs - startedAtMs)).toBeLessThanOrEqual(1);
  // Joining the queue takes real time.
  const agencyMs = 300 + 1_000 + 500;
  expect(queueMs).toBeGreaterThanOrEqual(PAUSE_MS);
  expect(durationMs).toBeGreaterThanOrEqual(agencyMs + PAUSE_MS);
  expect(durationMs - agencyMs - queueMs).toBeLessThanOrEqual(1);
  expect(rows).toMatchObject([
    {
      agencyMs,
      agencyCalls: 2,
      origin: 'single',
      statusCode: 200,
      earlierCalls: [
        {
          statusCode: 503,
          code: 'unavailable',
          durationMs: 1_000,
          responsePayload: 'USCIS says: [masked] of [masked]\n{"message":"[masked] of [masked]"}',
        },
      ],
    },
  ]);
});

test('an observation has the time of the call whose answer it is, not of one that failed before', async () => {
  tokens = [{ ...TOKEN_GIVEN, tookMs: 300 }];
  replies = [
    { ...CLOSED, tookMs: 1_000 },
    { ...OK, tookMs: 500 },
  ];
  const startedAtMs = manual.nowMs();
  const { observedAt } = await cases.found(NUMBER);
  expect(Date.parse(observedAt)).toBe(startedAtMs + 300 + 1_000 + PAUSE_MS);
  expect(await cases.eventsOf(caseObserved)).toMatchObject([{ answerMs: 500 }]);
});

test.each([
  [401, { code: 401, message: 'Invalid Access Token' }, 'Invalid Access Token'],
  [404, { message: 'Check <b>it</b>.' }, 'Check it.'],
  [422, { errors: [{ message: 'It should be 13 characters.' }] }, 'It should be 13 characters.'],
  [429, { message: 'Spike Arrest Violation' }, 'Spike Arrest Violation'],
  [
    503,
    `\n\n${JSON.stringify({ error: { code: '503', message: 'Unavailable at this time' } })}`,
    'Unavailable at this time',
  ],
])(
  'what the agency says with a %i is in the answer, apart from our own words',
  async (status, body, words) => {
    replies = Array(3).fill({ status, body });
    const shown = (await (await cases.lookUp(NUMBER)).json()) as { error: string; agencyMessage?: string };
    expect(shown.agencyMessage).toBe(words);
    expect(shown.error).not.toContain(words);
  },
);

test('the agency is asked as it documents it', async () => {
  await cases.found(NUMBER);
  const [token, status] = requests;
  expect(token?.request.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(Object.fromEntries(new URLSearchParams(token?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'test-client',
    client_secret: 'test-secret',
  });
  expect([status?.request.method, status?.request.url]).toEqual(['GET', `/case-status/${NUMBER}`]);
  expect(status?.request.headers).toMatchObject({
    accept: 'application/json',
    authorization: `Bearer ${TOKEN}`,
  });
  expect(status?.request.headers).not.toHaveProperty('demo_id');
});

test('every call of a demonstration carries the id that the agency has assigned', async () => {
  const own = await startCases({ clock, agencyUrl: url, env: { AGENCY_DEMO_ID: '0417' } });
  await own.found(NUMBER);
  const carried = requests.map(({ request }) => [request.method, request.headers.demo_id]);
  expect(carried).toEqual([
    ['POST', '0417'],
    ['GET', '0417'],
  ]);
  await own.stop();
});

test('further headers go with every call, and the log masks their values where the agency repeats them', async () => {
  const headers = { 'X-Request-Source': 'casewatch', 'X-Api-Key': 'key-of-the-gateway' };
  const env = { AGENCY_HEADERS: JSON.stringify(headers), FRESHNESS_SECONDS: '0' };
  const own = await startCases({ clock, agencyUrl: url, env });
  replies = [{ status: 422, body: { message: 'No key-of-the-gateway.' } }];
  expect(await (await own.lookUp(NUMBER)).json()).toMatchObject({ agencyMessage: 'No [masked].' });
  const carried = requests.map(({ request }) => [
    request.method,
    request.headers['x-request-source'],
    request.headers['x-api-key'],
  ]);
  expect(carried).toEqual([
    ['POST', 'casewatch', 'key-of-the-gateway'],
    ['GET', 'casewatch', 'key-of-the-gateway'],
  ]);
  const rows = (await own.logged()).filter(({ agencyCalls }) => agencyCalls !== 0);
  expect(rows).toMatchObject([{ responsePayload: 'USCIS says: No [masked].\n{"message":"No [masked]."}' }]);
  await own.stop();
});

test('what the token endpoint says is shown without our credentials, the id among them', async () => {
  tokens = Array(3).fill({ status: 401, body: { message: 'Unknown test-client with test-secret.' } });
  const shown = await (await cases.lookUp(NUMBER)).json();
  expect(shown).toMatchObject({ agencyMessage: 'Unknown [masked] with [masked].' });
});

test.each(['417', '04170', 'abcd', ' 417'])('an id of a demonstration is 4 digits, not "%s"', (id) => {
  expect(() => readSettings(settings, { AGENCY_DEMO_ID: id })).toThrow('AGENCY_DEMO_ID: must be 4 digits');
});

test.each([
  ['429', 'Too many.', { status: 429, code: 'AGENCY_BUSY', retryAfter: '1' }, 1_000],
  ['spent quota', 'Quota exceeded.', { status: 503, code: 'BUDGET_SPENT' }, 300_000],
])(
  'a %s of the token endpoint pauses all calls, also those to it',
  async (_name, message, error, pauseMs) => {
    tokens = [{ status: 429, body: { message } }];
    for (let nth = 0; nth < 3; nth += 1)
      expect(await errorOf(await cases.lookUp(NUMBER))).toMatchObject(error);
    expect([tokenCalls().length, statusCalls().length]).toEqual([1, 0]);
    await manual.advance(pauseMs);
    expect((await cases.lookUp(NUMBER)).status).toBe(200);
  },
);

test('a user who can wait for the end of the pause gets a token then, and the status', async () => {
  const own = await startCases({ clock, agencyUrl: url, env: { BUDGET_WAIT_MS: '60000' } });
  tokens = [{ status: 429, body: { message: 'Too many.' } }];
  const finding = own.found(NUMBER);
  await vi.waitFor(async () => expect(await own.caller()).toMatchObject({ pauses: 1 }), SLOW_MACHINE_MS);
  await manual.advance(999);
  expect(tokenCalls()).toHaveLength(1);
  await manual.advance(1);
  expect((await finding).stale).toBeUndefined();
  expect([tokenCalls().length, statusCalls().length]).toEqual([2, 1]);
  await own.stop();
});

test('operators see the calls of the day and whether the agency is left alone', async () => {
  const { casewatch_agency_budget_day_used: before = 0 } = await telemetry.scrape();
  await cases.found(NUMBER);
  const gauges = {
    casewatch_agency_caller: 1,
    casewatch_agency_budget_day_used: before + 1,
    casewatch_agency_budget_day_limit: 100_000,
    casewatch_agency_breaker_open: 0,
  };
  expect(await telemetry.scrape()).toMatchObject(gauges);
  replies = Array(30).fill(CLOSED);
  for (let nth = 0; nth < 3; nth += 1) await cases.lookUp(NUMBER);
  // One case may be the cause of its failures.
  expect(await telemetry.scrape()).toMatchObject({ casewatch_agency_breaker_open: 0 });
  // One after the other: each second try moves the clock past a rest, and a call from before a rest doesn't count.
  for (let last = 4; last <= 7; last += 1) await cases.check([`EAC999910340${last}`]);
  expect(await telemetry.scrape()).toMatchObject({ casewatch_agency_breaker_open: 1 });
});

test('a call whose connection breaks frees its permit a second later, and a stop closes all connections', async () => {
  const own = await startCases({
    clock,
    agencyUrl: url,
    // The second try gets no permit while the clock stands still, and the lookup waits for it in real time.
    env: { AGENCY_CALLS_PER_SECOND: '1', BUDGET_WAIT_MS: '0', AGENCY_TIMEOUT_MS: '3000' },
  });
  replies = [undefined];
  sockets = [];
  expect((await own.lookUp(NUMBER)).status).toBe(503);
  await manual.advance(1_001 - PAUSE_MS);
  expect((await own.lookUp(NUMBER)).status).toBe(200);
  expect(sockets.some(({ destroyed }) => !destroyed)).toBe(true);
  await own.stop();
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
});
