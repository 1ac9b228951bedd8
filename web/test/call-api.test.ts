import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { auditExportHref, logExportHref } from '../src/api/admin-logs.ts';
import { ApiError, failureText, hasCode } from '../src/api/api-error.ts';
import { callApi } from '../src/api/call-api.ts';
import * as endpoints from '../src/api/endpoints.ts';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

let answer: Answer;
let seen: { request: IncomingMessage; body: string };
let credentials: RequestCredentials | undefined;
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  seen = { request, body };
  response.writeHead(answer.status, answer.headers).end(answer.body);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const realFetch = fetch;
  // A browser completes an address by its page's; Node has no page.
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    credentials = init?.credentials;
    return realFetch(base + path, init);
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

const failure = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`Expected an ApiError, got ${error}`);
  return error;
};

test('a read carries the credentials and no content type', async () => {
  answer = { status: 200, body: '[]' };
  await expect(callApi(endpoints.listRemovedCases)).resolves.toEqual([]);
  expect(seen.request.method).toBe('GET');
  expect(seen.request.url).toBe('/api/saved-cases/removed');
  expect(seen.request.headers['content-type']).toBeUndefined();
  expect(seen.body).toBe('');
  expect(credentials).toBe('include');
});

test('a call and a download carry their query in the oldest browsers too', async () => {
  const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, 'size') ?? {};
  Reflect.deleteProperty(URLSearchParams.prototype, 'size');
  onTestFinished(() => void Object.defineProperty(URLSearchParams.prototype, 'size', size));
  answer = { status: 200, body: '{"ok":true}' };
  await callApi(endpoints.unsubscribe, { query: { token: 'from an e-mail' } });
  expect(seen.request.url).toBe('/api/notifications/unsubscribe?token=from+an+e-mail');
  expect(logExportHref('csv', { user: 'Ada' })).toBe('/api/admin/logs.csv?user=Ada');
  expect(auditExportHref({ actor: 'Ada' })).toBe('/api/admin/audit.csv?actor=Ada');
  expect(auditExportHref({})).toBe('/api/admin/audit.csv');
});

test('a write with a body sends it as JSON', async () => {
  answer = { status: 201, body: '{}' };
  await callApi(endpoints.saveCase, {
    body: { receiptNumber: 'EAC9999103403', monitoringFrequency: 'none' },
  });
  expect(seen.request.headers['content-type']).toBe('application/json');
  expect(JSON.parse(seen.body)).toEqual({ receiptNumber: 'EAC9999103403', monitoringFrequency: 'none' });
});

test('a write without a body has no content type either', async () => {
  answer = { status: 200, body: '{"ok":true}' };
  await callApi(endpoints.logOut);
  expect(seen.request.method).toBe('POST');
  expect(seen.request.headers['content-type']).toBeUndefined();
});

test('whatever is typed for a part of the path stays one part of it', async () => {
  answer = { status: 204 };
  await expect(
    callApi(endpoints.removeSavedCase, { params: { receiptNumber: '../auth/me?x=1' } }),
  ).resolves.toBeUndefined();
  expect(seen.request.url).toBe('/api/saved-cases/..%2Fauth%2Fme%3Fx%3D1');
});

test("a refusal's message is the status and the text, and people get the server's error string", async () => {
  const body = JSON.stringify({ error: 'Too many look-ups.', code: 'RATE_LIMITED', requestId: 'r1' });
  answer = { status: 429, body, headers: { 'retry-after': '30' } };
  const error = await failure(callApi(endpoints.listRemovedCases));
  expect(error.message).toBe(`429: ${body}`);
  expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED', retryAfterSeconds: 30 });
  expect(hasCode(error, 'RATE_LIMITED')).toBe(true);
  expect(failureText(error, 'Failed')).toBe('Too many look-ups.');
});

test("without an error string the server's message counts, and without both the fallback", async () => {
  answer = { status: 500, body: '{"message":"Out of order"}' };
  expect(failureText(await failure(callApi(endpoints.listRemovedCases)), 'Failed')).toBe('Out of order');
  answer = { status: 500, body: '{"error":{"nested":1}}' };
  expect(failureText(await failure(callApi(endpoints.listRemovedCases)), 'Failed')).toBe('Failed');
});

test('an empty refusal is shown by its status text, and a page of a proxy is never shown', async () => {
  answer = { status: 503 };
  const empty = await failure(callApi(endpoints.listRemovedCases));
  expect(empty.message).toBe('503: Service Unavailable');
  expect(empty.retryAfterSeconds).toBeUndefined();
  answer = { status: 502, body: '<html>Bad gateway</html>' };
  const page = await failure(callApi(endpoints.listRemovedCases));
  expect(page.message).toBe('502: <html>Bad gateway</html>');
  expect(failureText(page, 'Failed')).toBe('Failed');
});

test('the fields a server refuses come along, and malformed ones are left out', async () => {
  const details = [{ path: 'email', message: 'Invalid email address' }, { path: 7 }, null];
  answer = { status: 400, body: JSON.stringify({ error: 'Check', code: 'VALIDATION', details }) };
  const error = await failure(callApi(endpoints.listRemovedCases));
  expect(error.details).toEqual([{ path: 'email', message: 'Invalid email address' }]);
});

test('a call that was aborted rejects as aborted, not as a refusal', async () => {
  answer = { status: 200, body: '[]' };
  const call = callApi(endpoints.listRemovedCases, { signal: AbortSignal.abort() });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});
