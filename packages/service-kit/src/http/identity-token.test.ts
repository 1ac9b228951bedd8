import { generateKeyPairSync } from 'node:crypto';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTokenIssuer, createTokenVerifier } from './identity-token.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ADA = {
  userId: '11111111-1111-4111-8111-111111111111',
  sessionId: '22222222-2222-4222-8222-222222222222',
  tier: 'free',
  name: 'Ada',
} as const;

beforeEach(() => {
  // What the caches wait for; the clock is moved by hand.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const clock = createManualClock();
  return {
    clock,
    issue: createTokenIssuer(privateKey, clock),
    verify: createTokenVerifier([publicKey], 'cases', clock),
  };
}

test('a token is valid for a minute, also for a service that has seen it before', async () => {
  const { clock, issue, verify } = setUp();
  const token = issue(ADA, 'cases');
  expect(verify(token)).toEqual(ADA);
  await clock.advance(59_999);
  expect(verify(token)).toEqual(ADA);
  await clock.advance(1);
  expect(verify(token)).toBeUndefined();
  expect(verify(token)).toBeUndefined();
});

test('a token is issued anew 15 seconds before it expires, and not earlier', async () => {
  const { clock, issue } = setUp();
  const token = issue(ADA, 'cases');
  await clock.advance(44_999);
  expect(issue(ADA, 'cases')).toBe(token);
  await clock.advance(1);
  const renewed = issue(ADA, 'cases');
  expect(renewed).not.toBe(token);
  await clock.advance(59_999);
  expect(createTokenVerifier([publicKey], 'cases', clock)(renewed)).toEqual(ADA);
});

test('a token names one caller as they are now, and is for one service', () => {
  const { issue, verify } = setUp();
  const token = issue(ADA, 'cases');
  for (const caller of [
    { ...ADA, tier: 'pro' as const },
    { ...ADA, name: 'Augusta' },
  ]) {
    expect(verify(issue(caller, 'cases'))).toEqual(caller);
  }
  expect(issue(ADA, 'billing')).not.toBe(token);
  expect(verify(issue(ADA, 'billing'))).toBeUndefined();
});

test('a token names the session that it was issued for', () => {
  const { issue, verify } = setUp();
  const otherToken = { ...ADA, sessionId: '33333333-3333-4333-8333-333333333333' };
  expect(verify(issue(otherToken, 'cases'))).toStrictEqual(otherToken);
  expect(verify(issue(ADA, 'cases'))).toStrictEqual(ADA);
});

test('an issued token stays in memory for its 45 seconds, and at most twice as long', () => {
  const { issue } = setUp();
  const token = issue(ADA, 'cases');
  vi.advanceTimersByTime(45_000);
  expect(issue(ADA, 'cases')).toBe(token);
  vi.advanceTimersByTime(45_000);
  expect(issue(ADA, 'cases')).not.toBe(token);
});

test('a verified token stays in memory for its minute, and at most twice as long', () => {
  const { issue, verify } = setUp();
  const token = issue(ADA, 'cases');
  const caller = verify(token);
  vi.advanceTimersByTime(60_000);
  expect(verify(token)).toBe(caller);
  vi.advanceTimersByTime(60_000);
  expect(verify(token)).not.toBe(caller);
  expect(verify(token)).toEqual(ADA);
});

test('while the signing key is replaced, tokens of the old and of the new key are accepted', () => {
  const clock = createManualClock();
  const pairs = [1, 2, 3].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const [older, newer, unknown] = pairs.map(({ privateKey }) =>
    createTokenIssuer(privateKey, clock)(ADA, 'cases'),
  );
  const verify = createTokenVerifier(
    pairs.slice(0, 2).map(({ publicKey }) => publicKey),
    'cases',
    clock,
  );
  expect(verify(older ?? '')).toEqual(ADA);
  expect(verify(newer ?? '')).toEqual(ADA);
  expect(verify(unknown ?? '')).toBeUndefined();
});
