import { expect, test } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { BULK_FALLBACKS, explainLookupFailure, SINGLE_FALLBACKS } from './lookup-failure.ts';

const refusal = (status: number, body: object) =>
  new ApiError({ status, text: JSON.stringify(body), statusText: '', retryAfterSeconds: undefined });

test("the server's own words are shown, its error string before its message", () => {
  const error = refusal(422, { error: 'Receipt is on hold', message: 'other', code: 'AGENCY_REFUSED' });
  expect(explainLookupFailure(error, SINGLE_FALLBACKS).text).toBe('Receipt is on hold');
  expect(explainLookupFailure(refusal(500, { message: 'other' }), SINGLE_FALLBACKS).text).toBe('other');
});

test('a refusal without words falls back, for one case and for several', () => {
  expect(explainLookupFailure(refusal(500, {}), SINGLE_FALLBACKS).text).toBe('Failed to fetch case status');
  expect(explainLookupFailure(refusal(500, {}), BULK_FALLBACKS).text).toBe(
    'Failed to fetch bulk case status',
  );
});

test('no answer at all is explained without jargon', () => {
  const offline = new TypeError('Failed to fetch');
  expect(explainLookupFailure(offline, SINGLE_FALLBACKS).text).toBe(
    'Failed to fetch case status. Please try again.',
  );
  expect(explainLookupFailure(offline, BULK_FALLBACKS).text).toBe(
    'Failed to fetch case statuses. Please try again.',
  );
});

test('asking again is offered only where it can help', () => {
  const canRetry = (status: number, code: string) =>
    explainLookupFailure(refusal(status, { code }), SINGLE_FALLBACKS).canRetry;
  expect(canRetry(404, 'RECEIPT_NOT_RECOGNIZED')).toBe(false);
  expect(canRetry(422, 'AGENCY_REFUSED')).toBe(false);
  expect(canRetry(400, 'VALIDATION')).toBe(false);
  expect(canRetry(503, 'AGENCY_UNAVAILABLE')).toBe(true);
  expect(canRetry(429, 'AGENCY_BUSY')).toBe(true);
  expect(canRetry(500, 'INTERNAL')).toBe(true);
});

test('a server without words is given another try in a moment', () => {
  const advice = (body: object) => explainLookupFailure(refusal(502, body), SINGLE_FALLBACKS).advice;
  expect(advice({})).toBe('Please try again in a moment.');
  expect(advice({ error: 'Down until 8 PM.' })).toContain('official site');
});
