import { expect, test } from 'vitest';
import type { AgencyResult } from './agency.ts';
import type { AgencyFailure } from './agency-failure.ts';
import { type ReportedOutcome, toCheckResult } from './check-result.ts';

const receiptNumber = 'EAC9999103403';
const NOW_MS = 10_000;
const WAIT_MS = 2_500;

/** An agency's result of `passedMs` ago. */
const asked = (result: AgencyResult, passedMs = 0): ReportedOutcome => ({
  result,
  answeredAtMs: NOW_MS - passedMs,
});
const failed = (failure: AgencyFailure, passedMs?: number) => asked({ kind: 'failure', failure }, passedMs);

test.each<[string, ReportedOutcome, object]>([
  ['an answer', asked({ kind: 'case', case: {} as never }), { outcome: 'observed' }],
  ['an answer of a moment ago', 'observed', { outcome: 'observed' }],
  [
    'no such number',
    asked({ kind: 'not-recognised' }),
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
    'a failure of all, some of whose time has passed',
    failed({ kind: 'resting', retryAfterMs: 15_000 }, 500),
    { outcome: 'failed', code: 'AGENCY_UNAVAILABLE', retryAfterSeconds: 14.5 },
  ],
  [
    'a failure of all whose time has passed',
    failed({ kind: 'rate-limited', retryAfterMs: 400 }, 500),
    { outcome: 'failed', code: 'AGENCY_BUSY', retryAfterSeconds: 0 },
  ],
  [
    'a spent budget',
    failed({ kind: 'budget-spent', retryAfterMs: 1_500 }),
    { outcome: 'no-budget', code: 'BUDGET_SPENT', retryAfterSeconds: 1.5 },
  ],
  ['a busy budget', failed({ kind: 'budget-busy' }), { outcome: 'no-budget', code: 'AGENCY_BUSY' }],
  [
    'a busy budget, in whose queue it may wait itself soon',
    failed({ kind: 'budget-busy', retryAfterMs: 3_000 }, 100),
    { outcome: 'no-budget', code: 'AGENCY_BUSY', retryAfterSeconds: 0.4 },
  ],
  [
    'a busy budget, in whose queue it may wait now',
    failed({ kind: 'budget-busy', retryAfterMs: 900 }),
    { outcome: 'no-budget', code: 'AGENCY_BUSY', retryAfterSeconds: 0.05 },
  ],
  ['a lost budget', failed({ kind: 'budget-unavailable' }), { outcome: 'no-budget', code: 'AGENCY_BUSY' }],
  ['an error of ours', { error: new Error('x') }, { outcome: 'failed', code: 'INTERNAL' }],
  [
    'an unavailable database',
    { error: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) },
    { outcome: 'failed', code: 'UNAVAILABLE', retryAfterSeconds: 2 },
  ],
])('the result of a check with %s', (_name, outcome, result) => {
  expect(toCheckResult(receiptNumber, outcome, { nowMs: NOW_MS, waitMs: WAIT_MS })).toEqual({
    receiptNumber,
    ...result,
  });
});
