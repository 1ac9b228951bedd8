import { expect, test } from 'vitest';
import { cleanHeaders } from './request-headers.ts';

test('what a client says of itself stays; what it could forge and what belongs to its connection do not', () => {
  const kept = {
    accept: 'text/html',
    'content-length': '2',
    'content-type': 'application/json',
    host: 'cases.example.org',
    'last-event-id': '7',
    'user-agent': 'a browser',
    'x-requested-with': 'a page',
  };
  const removed = Object.fromEntries(
    [
      ...['authorization', 'forwarded', 'x-real-ip', 'true-client-ip', 'x-request-id'],
      ...['traceparent', 'tracestate', 'baggage'],
      ...['x-casewatch-tier', 'x-user-id', 'x-forwarded-for', 'x-internal-token'],
      ...['keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
      ...['te', 'trailer', 'upgrade', 'expect', 'x-hop', 'x-other-hop'],
    ].map((name) => [name, 'x']),
  );
  const connection = 'X-Hop,x-other-hop , Content-Length, Host, Transfer-Encoding';
  expect(cleanHeaders({ ...kept, ...removed, connection }, false)).toEqual(kept);
});

test('the cookie goes where it is asked for, and nowhere else', () => {
  const headers = { accept: '*/*', cookie: 'sid=1' };
  expect(cleanHeaders(headers, true)).toEqual(headers);
  expect(cleanHeaders(headers, false)).toEqual({ accept: '*/*' });
});
