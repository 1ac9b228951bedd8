import { expect, test } from 'vitest';
import type { AgencyFailure } from './agency-failure.ts';
import { type CheckOutcome, toCheckResult } from './check-result.ts';

const receiptNumber = 'EAC9999103403';
const WAIT_MS = 2_500;
const failed = (failure: AgencyFailure): CheckOutcome => ({ kind: 'failure', failure });

test.each<[string, CheckOutcome, object]>([
  ['an answer', { kind: 'case' }, { outcome: 'observed' }],
  [
    'no such number',
    { kind: 'not-recognised' },
    { outcome: 'not-recognised', code: 'RECEIPT_NOT_RECOGNISED' },
  ],
  ['no answer in time', 'late', { outcome: 'failed', code: 'AGENCY_UNAVAILABLE' }],
  ['a refusal', failed({ kind: 'refused' }), { outcome: 'refused', code: 'AGENCY_REFUSED' }],
  [
    'a failure of this case',
    failed({ kind: 'unreadable' }),
    { outcome: 'failed', code: 'AGENCY_UNAVAILABLE' },
  ],
  [
    'a failure of all',
    failed({ kind: 'resting', retryAfterMs: 14_500 }),
    { outcome: 'failed', code: 'AGENCY_UNAVAILABLE', retryAfterSeconds: 14.5 },
  ],
  [
    'a spent budget',
    failed({ kind: 'budget-spent', retryAfterMs: 1_500 }),
    { outcome: 'no-budget', code: 'BUDGET_SPENT', retryAfterSeconds: 1.5 },
  ],
  ['a busy budget', failed({ kind: 'budget-busy' }), { outcome: 'no-budget', code: 'AGENCY_BUSY' }],
  [
    'a busy budget, in whose queue it may wait itself soon',
    failed({ kind: 'budget-busy', retryAfterMs: 2_900 }),
    { outcome: 'no-budget', code: 'AGENCY_BUSY', retryAfterSeconds: 0.4 },
  ],
  [
    'a busy budget, in whose queue it may wait now',
    failed({ kind: 'budget-busy', retryAfterMs: 900 }),
    { outcome: 'no-budget', code: 'AGENCY_BUSY', retryAfterSeconds: 0.05 },
  ],
  [
    'a caller that is away',
    failed({ kind: 'no-caller', retryAfterMs: 5_000 }),
    { outcome: 'failed', code: 'UNAVAILABLE', retryAfterSeconds: 5 },
  ],
  ['an error of ours', { kind: 'error', error: new Error('x') }, { outcome: 'failed', code: 'INTERNAL' }],
  [
    'an unavailable database',
    { kind: 'error', error: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) },
    { outcome: 'failed', code: 'UNAVAILABLE', retryAfterSeconds: 2 },
  ],
])('the result of a check with %s', (_name, outcome, result) => {
  expect(toCheckResult(receiptNumber, outcome, WAIT_MS)).toEqual({
    receiptNumber,
    ...result,
  });
});
