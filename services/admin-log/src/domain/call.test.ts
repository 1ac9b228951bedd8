import { EventFormatError } from '@casewatch/contracts/event-type';
import { expect, test } from 'vitest';
import { lookupAt } from '../../test/lookup-at.ts';
import { toCall } from './call.ts';

const ENDED = Date.parse('2026-01-05T12:00:00Z');
const event = lookupAt(ENDED);

test('an outcome says whether the caller got a current status, and what caused it if not', () => {
  expect(toCall({ ...event, outcome: 'stored' })).toMatchObject({ success: true, cause: null });
  expect(toCall({ ...event, outcome: 'quota' })).toMatchObject({ success: false, cause: 'us' });
});

test('a lookup of unknown source or outcome or without a time does not fit', () => {
  expect(toCall({ ...event, source: 'monitor' }).source).toBe('monitor');
  expect(() => toCall({ ...event, source: 'dreamt' })).toThrow(
    new EventFormatError('source is not one of user, monitor'),
  );
  expect(() => toCall({ ...event, outcome: 'dreamt' })).toThrow(
    new EventFormatError('outcome is not one that is known'),
  );
  expect(() => toCall({ ...event, endedAt: '' })).toThrow(new EventFormatError('endedAt is missing'));
});

test('a lookup is in the log by its end; no time that it took is below zero', () => {
  expect(toCall({ ...event, durationMs: 1_500 }).createdAtMs).toBe(ENDED);
  expect(toCall({ ...event, durationMs: -1, queueMs: -1, agencyMs: -1 })).toMatchObject({
    durationMs: 0,
    queueMs: 0,
    agencyMs: 0,
  });
});

test('what is as long as it may be stays whole', () => {
  const call = { statusCode: 503, code: 'c'.repeat(50), durationMs: 20, response: 'r'.repeat(10_000) };
  const texts = {
    receiptNumber: 'e'.repeat(50),
    userFirstName: 'n'.repeat(100),
    code: 'c'.repeat(50),
    tier: 't'.repeat(50),
    origin: 'o'.repeat(50),
  };
  const { response: payload, ...facts } = call;
  expect(toCall({ ...event, ...texts, calls: Array(6).fill(call) })).toMatchObject({
    ...texts,
    payload,
    earlierCalls: Array(5).fill({ ...facts, payload }),
  });
});

test('what is longer is cut', () => {
  const call = toCall({
    ...event,
    receiptNumber: 'e'.repeat(51),
    tier: 't'.repeat(51),
    origin: 'o'.repeat(51),
  });
  expect(call).toMatchObject({
    receiptNumber: `${'e'.repeat(50)}…`,
    tier: `${'t'.repeat(50)}…`,
    origin: `${'o'.repeat(50)}…`,
  });
});

test('a payload has what PostgreSQL can store, so that its hash is that of the stored text', () => {
  const response = `\0${'x'.repeat(9_998)}\u{1F600}`;
  const call = { durationMs: 0, response };
  expect(toCall({ ...event, calls: [call] }).payload).toBe(`\uFFFD${'x'.repeat(9_998)}\uFFFD…`);
});

test('what an event does not say is not there; a lookup without a call has no payload', () => {
  expect(toCall({ ...event, calls: [] })).toMatchObject({
    userId: null,
    userFirstName: null,
    code: null,
    statusCode: null,
    agencyCalls: 0,
    requestId: null,
    traceId: null,
    tier: null,
    payload: null,
    earlierCalls: null,
  });
  expect(toCall(event)).toMatchObject({ statusCode: 200, agencyCalls: 1, earlierCalls: null });
});
