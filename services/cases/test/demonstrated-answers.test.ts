import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEMONSTRATED_BODY_MAX } from '@casewatch/contracts/agency-demonstration';
import { afterEach, expect, test } from 'vitest';
import { type CasesFixture, CLIENT, type FixtureOptions, startCases } from './cases-fixture.ts';
import { DEMO_ENV, demonstrateAt, HEADER_SECRET, NUMBER, refusalOf } from './demonstration-fixture.ts';

let cases: CasesFixture;
afterEach(() => cases.stop());
const demonstrate = () => demonstrateAt(cases, 'valid');

/** An agency that a test makes up. */
let agency: Server | undefined;
let token: string;
afterEach(() => {
  agency?.closeAllConnections();
  agency?.close();
  agency = undefined;
});

/** Repeats all that it was sent, in the answer's headers and body. */
async function startHostile(
  answer: (response: ServerResponse, authorization: string) => void,
  { answerToken, ...options }: FixtureOptions & { answerToken?: (response: ServerResponse) => void } = {},
) {
  token = 'usable-token-0123456789';
  const server = createServer((request, response) => {
    if (request.url !== '/oauth/accesstoken') return answer(response, String(request.headers.authorization));
    if (answerToken) return answerToken(response);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        access_token: token,
        expires_in: '1799',
        status: `approved ${token}`,
        copy: token,
        refresh_token: token,
      }),
    );
  });
  agency = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agencyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cases = await startCases({ env: DEMO_ENV, agencyUrl, ...options });
}

test('no secret and no token leaves the process, in headers and bodies that repeat them', async () => {
  await startHostile((response, authorization) => {
    response.setHeader('www-authenticate', authorization);
    response.setHeader('x-request-id', HEADER_SECRET);
    response.setHeader('set-cookie', authorization);
    response.statusCode = 401;
    response.end(`<p>${authorization} ${CLIENT.clientSecret} ${CLIENT.clientId} ${HEADER_SECRET}</p>`);
  });
  const { record, text } = await demonstrate();
  expect(record.status?.answer).toMatchObject({
    headers: { 'www-authenticate': 'Bearer [masked]', 'x-request-id': '[masked]' },
    body: '<p>Bearer [masked] [masked] [masked] [masked]</p>',
  });
  const stored = JSON.stringify(await cases.published());
  for (const secret of [token, CLIENT.clientSecret, CLIENT.clientId, HEADER_SECRET, 'set-cookie']) {
    expect(text).not.toContain(secret);
    expect(stored).not.toContain(secret);
  }
});

test('a token or a key that the agency repeats in the texts of a case is neither shown nor stored', async () => {
  await startHostile((response, authorization) => {
    const text = `${authorization} ${CLIENT.clientSecret}, basic requirements`;
    const said = {
      receiptNumber: NUMBER,
      formType: 'I-485',
      current_case_status_text_en: 'Case Was Approved',
      current_case_status_desc_en: `${text} in ${token}.`,
      hist_case_status: [{ date: '2024-02-29', completed_text_en: `Sent with ${token}` }],
    };
    response.end(JSON.stringify({ case_status: said }));
  });
  const { record, text } = await demonstrate();
  expect(record).toMatchObject({
    outcome: 'shown',
    read: { fields: { description: 'Bearer [masked] [masked], basic requirements in [masked].' } },
  });
  const stored = JSON.stringify([
    await cases.published(),
    await cases.database.query('SELECT * FROM cases.case_snapshots'),
  ]);
  for (const secret of [token, CLIENT.clientSecret]) {
    expect(text).not.toContain(secret);
    expect(stored).not.toContain(secret);
  }
});

test('an agency that is closed for tokens, too, has shown its 503', async () => {
  await startHostile(() => undefined, { answerToken: (response) => response.writeHead(503).end('{}') });
  const { record } = await demonstrateAt(cases, 'unavailable');
  expect(record).toMatchObject({ outcome: 'shown', token: { answer: { status: 503 } }, isStored: false });
  expect((await demonstrate()).record.outcome).toBe('not-shown');
});

test.each<[string, (response: ServerResponse) => void, object]>([
  ['a page', (r) => r.end('<script>alert(1)</script>'), { body: '<script>alert(1)</script>' }],
  ['no JSON', (r) => r.end('{"case_status": {'), { body: '{"case_status": {' }],
  ['zero bytes', (r) => r.end('{"a":"\u0000"}'), { body: '{"a":""}' }],
  [
    'much',
    (r) => r.end('x'.repeat(DEMONSTRATED_BODY_MAX + 1)),
    { body: 'x'.repeat(DEMONSTRATED_BODY_MAX), isCut: true },
  ],
])('%s is shown as the text that it is, and is no status', async (_name, answer, shown) => {
  await startHostile(answer);
  const { record } = await demonstrate();
  expect(record).toMatchObject({
    isStored: false,
    outcome: 'not-shown',
    status: { answer: { status: 200, ...shown } },
  });
  expect(refusalOf(record)).toMatchObject({ code: 'AGENCY_UNAVAILABLE' });
});

test('an answer that is too large or does not come ends the demonstration within the time of a lookup', async () => {
  await startHostile((response) => response.end('x'.repeat(2_000_000)), {
    env: { ...DEMO_ENV, AGENCY_TIMEOUT_MS: '300' },
  });
  expect((await demonstrate()).record.status).toMatchObject({
    problem: expect.stringContaining('larger than'),
  });
  agency?.removeAllListeners('request');
  const sentMs = performance.now();
  const { record } = await demonstrate();
  expect(record).toMatchObject({
    outcome: 'not-shown',
    token: { problem: expect.stringContaining('timeout') },
  });
  expect(record.status).toBeUndefined();
  expect(performance.now() - sentMs).toBeLessThan(3_000);
});
