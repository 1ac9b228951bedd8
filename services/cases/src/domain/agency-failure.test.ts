import { expect, test } from 'vitest';
import { type FailureKind, notRecognized, toAppError } from './agency-failure.ts';

test.each<[FailureKind, string, number]>([
  ['rate-limited', 'AGENCY_BUSY', 1],
  ['quota-spent', 'BUDGET_SPENT', 3_600],
  ['unavailable', 'AGENCY_UNAVAILABLE', 60],
  ['maintenance', 'AGENCY_UNAVAILABLE', 60],
  ['unexpected', 'AGENCY_UNAVAILABLE', 60],
  ['timeout', 'AGENCY_UNAVAILABLE', 30],
  ['unreachable', 'AGENCY_UNAVAILABLE', 30],
  ['unreadable', 'AGENCY_UNAVAILABLE', 30],
  ['credentials', 'AGENCY_UNAVAILABLE', 60],
  ['resting', 'AGENCY_UNAVAILABLE', 15],
  ['budget-spent', 'BUDGET_SPENT', 3_600],
  ['budget-busy', 'AGENCY_BUSY', 1],
  ['no-caller', 'UNAVAILABLE', 5],
])('%s is %s, to be retried after %i s unless it says when', (kind, code, retryAfterSeconds) => {
  const error = toAppError({ kind });
  expect(error).toMatchObject({ code, retryAfterSeconds });
  expect(error.message).toMatch(
    /temporarily unavailable|can’t connect to USCIS right now|USCIS isn’t responding|today’s lookup limit/,
  );
  expect(toAppError({ kind, retryAfterMs: 4_001 })).toMatchObject({ code, retryAfterSeconds: 5 });
  expect(toAppError({ kind, retryAfterMs: 0 })).toMatchObject({ code, retryAfterSeconds: 1 });
});

test.each([
  [60, '1 minute'],
  [61, '2 minutes'],
  [7_140, '119 minutes'],
  [7_141, '2 hours'],
  [7_201, '3 hours'],
])('a budget that is spent for %i s says to come back in %s', (seconds, text) => {
  // The day ends at midnight GMT, in the afternoon of most users: "tomorrow" would be too late.
  for (const kind of ['budget-spent', 'quota-spent'] as const) {
    const { message } = toAppError({ kind, retryAfterMs: seconds * 1_000 });
    expect(message).toMatch(new RegExp(`\\. Please try again in ${text}\\.$`));
  }
});

test.each<FailureKind>([
  'refused',
  'rate-limited',
  'quota-spent',
  'unavailable',
  'unexpected',
  'credentials',
])('the agency’s own words stand beside ours where it is %s', (kind) => {
  const [silent, said] = [toAppError({ kind }), toAppError({ kind, agencyMessage: 'Too short.' })];
  expect(said.body).toEqual({ ...silent.body, agencyMessage: 'Too short.' });
  expect(silent.body).not.toHaveProperty('agencyMessage');
});

test('a receipt number that is refused or not recognized has no time, and the words of the agency', () => {
  expect(toAppError({ kind: 'refused' })).toMatchObject({
    code: 'AGENCY_REFUSED',
    retryAfterSeconds: undefined,
  });
  expect(notRecognized('Not found.').body).toMatchObject({
    code: 'RECEIPT_NOT_RECOGNIZED',
    agencyMessage: 'Not found.',
  });
});
