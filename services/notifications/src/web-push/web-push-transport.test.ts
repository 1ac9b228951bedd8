import { createManualClock } from '@casewatch/testing/manual-clock';
import { makePushKeys } from '@casewatch/testing/push-service';
import { expect, test } from 'vitest';
import { codeOf, openWebPushTransport, outcomeOf } from './web-push-transport.ts';

const ADDRESS = 'https://push.example.com/a-secret-address';
const failure = (code: string) => Object.assign(new Error(ADDRESS), { code });

test.each([
  ['a reset', failure('ECONNRESET'), 'ECONNRESET'],
  ['a foreign certificate', failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['a request that was ended', failure('ABORT_ERR'), 'timeout'],
  ['a time limit', new DOMException(ADDRESS, 'TimeoutError'), 'timeout'],
  ['an abort', new DOMException(ADDRESS, 'AbortError'), 'timeout'],
  ['a code that is an address', failure(ADDRESS), 'EUNKNOWN'],
  ['an error without a code', new Error(ADDRESS), 'EUNKNOWN'],
  ['no error', ADDRESS, 'EUNKNOWN'],
])('of a failed connection the log holds a word and never the address: %s', (_name, error, word) => {
  expect(codeOf(error)).toBe(word);
});

const NOW = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 24 * 3_600_000;

test.each([
  [200, { kind: 'sent' }],
  [201, { kind: 'sent' }],
  [299, { kind: 'sent' }],
  [199, { kind: 'refused', reason: 'http-199' }],
  [300, { kind: 'refused', reason: 'http-300' }],
  [400, { kind: 'refused', reason: 'http-400' }],
  [401, { kind: 'deferred', reason: 'http-401', means: 'unauthorized' }],
  [403, { kind: 'deferred', reason: 'http-403', means: 'unauthorized' }],
  [404, { kind: 'refused', reason: 'gone-404', means: 'gone' }],
  [408, { kind: 'deferred', reason: 'http-408', retryAfterMs: 0 }],
  [410, { kind: 'refused', reason: 'gone-410', means: 'gone' }],
  [413, { kind: 'refused', reason: 'http-413' }],
  [425, { kind: 'deferred', reason: 'http-425', retryAfterMs: 0 }],
  [429, { kind: 'deferred', reason: 'http-429', retryAfterMs: 0 }],
  [499, { kind: 'refused', reason: 'http-499' }],
  [500, { kind: 'deferred', reason: 'http-500', retryAfterMs: 0 }],
  [503, { kind: 'deferred', reason: 'http-503', retryAfterMs: 0 }],
])('what %i of a push service means', (status, outcome) => {
  expect(outcomeOf({ status, retryAfter: undefined }, NOW)).toEqual(outcome);
});

test.each([
  ['120', 120_000],
  [' 120 ', 120_000],
  ['86400', DAY_MS],
  ['86401', DAY_MS],
  ['99999999999999', DAY_MS],
  ['Mon, 05 Jan 2026 12:02:00 GMT', 120_000],
  ['Mon, 05 Jan 2026 11:59:59 GMT', 0],
  ['Wed, 07 Jan 2026 12:00:00 GMT', DAY_MS],
  ['soon', 0],
  ['', 0],
])('it is tried again when it asks for it, within a day: "%s"', (retryAfter, retryAfterMs) => {
  expect(outcomeOf({ status: 429, retryAfter }, NOW)).toMatchObject({ retryAfterMs });
});

/** Nothing listens at port 1 of this host. */
async function openTransport({ isAllowed = true } = {}) {
  const clock = createManualClock();
  const { PUSH_VAPID_PUBLIC_KEY: publicKey, PUSH_VAPID_PRIVATE_KEY: privateKey } = makePushKeys();
  const transport = await openWebPushTransport({
    keys: { publicKey, privateKey, subject: 'mailto:ops@example.com' },
    isAllowed: () => isAllowed,
    clock,
    connections: 1,
  });
  const send = (host: string, { signal = new AbortController().signal, p256dh = publicKey } = {}) =>
    transport.send(
      {
        target: {
          id: 'phone',
          userId: 'ada',
          sessionId: 'session',
          endpoint: `https://${host}/x`,
          p256dh,
          auth: Buffer.alloc(16).toString('base64url'),
          language: 'en',
        },
        payload: '{}',
        ttlSeconds: 60,
        urgency: 'normal',
        topic: 't',
      },
      signal,
    );
  return { transport, clock, send };
}

test('after a failed connection the same push service gets nothing for 15 seconds, and others do', async () => {
  const { transport, clock, send } = await openTransport();
  const refused = { kind: 'deferred', reason: 'ECONNREFUSED' };
  expect(await send('127.0.0.1:1')).toEqual(refused);
  await clock.advance(5_000);
  expect(await send('127.0.0.1:1')).toEqual({
    kind: 'deferred',
    reason: 'host-unavailable',
    retryAfterMs: 10_000,
  });
  expect(await send('127.0.0.2:1')).toEqual(refused);
  await clock.advance(9_999);
  expect(await send('127.0.0.1:1')).toMatchObject({ reason: 'host-unavailable', retryAfterMs: 1 });
  await clock.advance(1);
  expect(await send('127.0.0.1:1')).toEqual(refused);
  await transport.close();
});

test('a push service gets messages again after 15 seconds, also where the clock was set back', async () => {
  const { transport, clock, send } = await openTransport();
  await send('127.0.0.1:1');
  await clock.jump(-3_600_000);
  expect(await send('127.0.0.1:1')).toMatchObject({ reason: 'host-unavailable', retryAfterMs: 15_000 });
  await clock.advance(15_000);
  expect(await send('127.0.0.1:1')).toEqual({ kind: 'deferred', reason: 'ECONNREFUSED' });
  await transport.close();
});

test('a message that a stop abandons says nothing about the push service', async () => {
  const { transport, send } = await openTransport();
  const signal = AbortSignal.abort();
  expect(await send('127.0.0.1:1', { signal })).toEqual({ kind: 'unavailable', reason: 'stopping' });
  expect(await send('127.0.0.1:1')).toEqual({ kind: 'deferred', reason: 'ECONNREFUSED' });
  await transport.close();
});

test('an address that is not allowed any more is not connected to, nor is one whose key is none', async () => {
  const forbidding = await openTransport({ isAllowed: false });
  expect(await forbidding.send('127.0.0.1:1')).toEqual({ kind: 'refused', reason: 'host-not-allowed' });
  const { send } = await openTransport();
  const p256dh = Buffer.alloc(65, 4).toString('base64url');
  expect(await send('127.0.0.1:1', { p256dh })).toEqual({ kind: 'refused', reason: 'bad-key' });
});
