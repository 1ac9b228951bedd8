import type { IncomingMessage } from 'node:http';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createSecurityHeaders } from './security-headers.ts';
import { isProxyErrorPage, isRetryable, UpstreamCall } from './upstream.ts';

function call() {
  const counted: [peer: string, outcome: string, isSeconds: boolean][] = [];
  const lines: Record<string, unknown>[] = [];
  const startedAt = performance.now();
  const made = new UpstreamCall({
    service: 'cases',
    url: 'http://cases.test',
    timeoutMs: 1_000,
    logger: pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    ownHeaders: createSecurityHeaders({ publicUrl: 'http://localhost:8080', pages: [] }),
    count: (peer, outcome, seconds) => {
      const mostSeconds = (performance.now() - startedAt) / 1_000;
      counted.push([peer, outcome, seconds > 0 && seconds <= mostSeconds]);
    },
    tracing: noTracing,
  });
  return { made, counted, lines };
}

test.each([
  [200, 'ok'],
  [304, 'ok'],
  [399, 'ok'],
  [400, 'refused'],
  [429, 'refused'],
  [499, 'refused'],
  [500, 'failed'],
  [503, 'failed'],
])('an answer of %i is counted once, as %s', (status, outcome) => {
  const { made, counted } = call();
  made.start();
  made.answered(status);
  made.answered(status);
  expect(counted).toEqual([['cases', outcome, true]]);
});

test('a call that fails is counted once, logged with its reason, and answered UNAVAILABLE', () => {
  const { made, counted, lines } = call();
  const error = Object.assign(new Error('it took too long'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
  const answers: unknown[] = [];
  made.start();
  made.fail('timeout', error, (answer) => answers.push(answer));
  expect(counted).toEqual([['cases', 'timeout', true]]);
  expect(lines).toMatchObject([
    { level: 40, upstream: 'cases', code: 'UND_ERR_HEADERS_TIMEOUT', reason: 'it took too long' },
  ]);
  expect(answers).toMatchObject([{ code: 'UNAVAILABLE', retryAfterSeconds: 2, cause: error }]);
});

test.each([
  [501, 'text/html', false],
  [502, 'text/html', true],
  [503, undefined, true],
  [504, 'text/html; charset=utf-8', true],
  [502, 'application/json; charset=utf-8', false],
  [500, 'text/html', false],
])('%i with the type %s: that no service was found is %s', (status, type, expected) => {
  expect(isProxyErrorPage(status, type)).toBe(expected);
});

test.each([
  ['GET', {}, 'ECONNRESET', true],
  ['HEAD', {}, 'EPIPE', true],
  ['GET', { 'content-length': '0' }, 'UND_ERR_SOCKET', true],
  ['GET', { 'content-length': '1' }, 'ECONNRESET', false],
  ['POST', {}, 'ECONNRESET', false],
  ['DELETE', {}, 'UND_ERR_SOCKET', false],
  ['GET', {}, 'ECONNREFUSED', false],
  ['GET', {}, 'UND_ERR_HEADERS_TIMEOUT', false],
])('%s with %j is sent again after %s: %s', (method, headers, code, expected) => {
  // Only the parts that are read of it.
  const req = { method, headers } as unknown as IncomingMessage;
  expect(isRetryable(req, Object.assign(new Error('broken'), { code }))).toBe(expected);
});
