import { EventFormatError } from '@casewatch/contracts/event-type';
import { expect, test } from 'vitest';
import { callOfUser } from '../../test/call-of-user.ts';
import { impliedOutcome, toCall } from './call.ts';

const ENDED = Date.parse('2026-01-05T12:00:00Z');
const event = callOfUser(ENDED);

test.each<[boolean, number | null, string]>([
  [true, 200, 'answered'],
  [true, 404, 'answered'],
  [false, 404, 'not-recognized'],
  [false, 422, 'refused'],
  [false, 429, 'quota'],
  [false, 503, 'fault'],
  [false, null, 'fault'],
])('a call of which only success %s and status %s are known came out so', (success, statusCode, outcome) => {
  expect(impliedOutcome(success, statusCode)).toBe(outcome);
  const { statusCode: _, ...without } = event;
  const call = toCall({ ...without, success, ...(statusCode === null ? {} : { statusCode }) });
  expect(call).toMatchObject({ outcome, statusCode });
});

test('an outcome that is said counts, one that is not known does not', () => {
  expect(toCall({ ...event, outcome: 'stored' })).toMatchObject({ outcome: 'stored', cause: null });
  expect(toCall({ ...event, outcome: 'stored', success: false })).toMatchObject({ outcome: 'stored' });
  expect(toCall({ ...event, outcome: 'dreamt', success: false, statusCode: 429 })).toMatchObject({
    outcome: 'quota',
    cause: 'us',
  });
});

test('a call of unknown source or without a time does not fit', () => {
  expect(toCall({ ...event, source: 'monitor' }).source).toBe('monitor');
  expect(() => toCall({ ...event, source: 'dreamt' })).toThrow(
    new EventFormatError('source is not one of user, monitor'),
  );
  expect(() => toCall({ ...event, calledAt: '' })).toThrow(new EventFormatError('calledAt is missing'));
});

test('a call has ended when its time and its duration say', () => {
  expect(toCall({ ...event, durationMs: 1_500 }).createdAtMs).toBe(ENDED + 1_500);
  expect(toCall({ ...event, durationMs: -1 })).toMatchObject({ createdAtMs: ENDED, durationMs: 0 });
});

test('what is as long as it may be stays whole', () => {
  const request = JSON.stringify('q'.repeat(9_998));
  const earlier = {
    statusCode: 503,
    code: 'c'.repeat(50),
    durationMs: 20,
    responsePayload: 'r'.repeat(10_000),
  };
  const facts = {
    endpoint: 'e'.repeat(300),
    userFirstName: 'n'.repeat(100),
    responsePayload: 'r'.repeat(10_000),
    code: 'c'.repeat(50),
    tier: 't'.repeat(50),
    origin: 'o'.repeat(50),
    earlierCalls: Array.from({ length: 5 }, () => earlier),
  };
  const { earlierCalls, ...texts } = facts;
  expect(toCall({ ...event, ...facts, requestPayload: request })).toMatchObject({
    ...texts,
    requestPayload: 'q'.repeat(9_998),
    earlierCalls,
  });
});

test('what is longer is cut; a request that is longer is a text, whatever it holds', () => {
  const call = toCall({
    ...event,
    requestPayload: JSON.stringify('q'.repeat(9_999)),
    tier: 't'.repeat(51),
    origin: 'o'.repeat(51),
  });
  expect(call).toMatchObject({
    requestPayload: `"${'q'.repeat(9_999)}…`,
    tier: `${'t'.repeat(50)}…`,
    origin: `${'o'.repeat(50)}…`,
  });
});

test('what an event does not say is not there, and it is one call unless it says otherwise', () => {
  expect(toCall(event)).toMatchObject({
    userId: null,
    userFirstName: null,
    code: null,
    queueMs: null,
    agencyMs: null,
    agencyCalls: 1,
    requestId: null,
    traceId: null,
    tier: null,
    origin: null,
    servedStale: false,
    earlierCalls: null,
  });
  expect(toCall({ ...event, queueMs: 0, agencyMs: 0, agencyCalls: 0, servedStale: true })).toMatchObject({
    queueMs: 0,
    agencyMs: 0,
    agencyCalls: 0,
    servedStale: true,
  });
});

const DAY_MS = 86_400_000;
test('a call of the days before may be named as the one that has the same answer, and nothing else', () => {
  const named = (callId: string, endedAtMs: number, durationMs = 0) =>
    toCall({ ...event, durationMs, sameAnswer: { callId, endedAt: new Date(endedAtMs).toISOString() } })
      .sameAnswer;
  const id = event.callId;
  expect(toCall(event).sameAnswer).toBeNull();
  for (const endedAtMs of [ENDED, ENDED - 8 * DAY_MS, ENDED + DAY_MS])
    expect(named(id, endedAtMs)).toEqual({ callId: id, endedAtMs });
  expect(named(id, ENDED - 8 * DAY_MS - 1)).toBeNull();
  expect(named(id, ENDED + DAY_MS + 1)).toBeNull();
  // Counted from the end of the call.
  expect(named(id, ENDED + DAY_MS + 1_500, 1_500)).not.toBeNull();
  expect(named(id, ENDED - 8 * DAY_MS + 1_499, 1_500)).toBeNull();
  expect(named(id, ENDED - 8 * DAY_MS, -1)).not.toBeNull();
  expect(named('x', ENDED)).toBeNull();
  expect(toCall({ ...event, sameAnswer: { callId: id, endedAt: '' } }).sameAnswer).toBeNull();
});
