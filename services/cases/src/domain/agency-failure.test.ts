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
    /temporarily unavailable|can't connect to USCIS right now|USCIS isn't responding|today's lookup limit/,
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

test('a refusal has the agency’s own words, where it gave some, and no time', () => {
  const refusal = (agencyMessage?: string) => toAppError({ kind: 'refused', agencyMessage });
  expect(refusal('Too short.')).toMatchObject({
    code: 'AGENCY_REFUSED',
    message: 'The agency did not accept this receipt number: Too short.',
    retryAfterSeconds: undefined,
  });
  expect(refusal().message).toBe('The agency did not accept this receipt number.');
  expect(notRecognized().code).toBe('RECEIPT_NOT_RECOGNISED');
});
