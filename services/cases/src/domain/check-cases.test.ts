import type { CheckResult } from '@casewatch/contracts/check-cases';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { AgencyFailure } from './agency-failure.ts';
import type { Outcome } from './agency-queue.ts';
import { type CheckCases, type CheckOutcome, createCheckCases, toCheckResult } from './check-cases.ts';
import type { EndedLookup, Requester } from './lookup.ts';

const WAIT_MS = 2_500;

let clock: ReturnType<typeof createManualClock>;
let checks: CheckCases;
let answers: Map<string, PromiseWithResolvers<Outcome>>;
/** Who waits for the agency, in order, and for how long at the most. */
let requesters: Requester[];
let waits: number[];
let rows: EndedLookup[];
let logged: object[];
/** Every time that is waited for, and whether it still is. */
let timers: { ms: number; signal: AbortSignal | undefined }[];

beforeEach(() => {
  clock = createManualClock();
  [rows, logged, requesters, waits, timers] = [[], [], [], [], []];
  answers = new Map();
  checks = createCheckCases({
    askAgency: {
      ask: (receiptNumber, requester, waitMs) => {
        const answer = Promise.withResolvers<Outcome>();
        answers.set(receiptNumber, answer);
        requesters.push(requester);
        waits.push(waitMs);
        return answer.promise;
      },
    },
    log: { add: (row) => void rows.push(row), stop: async () => undefined },
    clock: {
      nowMs: clock.nowMs,
      sleep: (ms, signal) => {
        timers.push({ ms, signal });
        return clock.sleep(ms, signal);
      },
    },
    logger: pino({}, { write: (line) => void logged.push(JSON.parse(line)) }),
    waitMs: WAIT_MS,
  });
});

/** Begins a check; all that it has asked for waits. */
function begin(...receiptNumbers: string[]) {
  return { done: checks.check(receiptNumbers, 'trace') };
}

async function answer(receiptNumber: string, outcome: Outcome = { kind: 'case' }) {
  answers.get(receiptNumber)?.resolve(outcome);
  await clock.advance(0);
}

const outcomesOf = (results: readonly CheckResult[]) =>
  results.map(({ receiptNumber, outcome, code }) => [receiptNumber, outcome, ...(code ? [code] : [])]);
const rowsOf = () =>
  rows.map(({ receiptNumber, outcome, code }) => [receiptNumber, outcome, ...(code ? [code] : [])]);

test('each distinct receipt number is asked for once, side by side, and has one result in their order', async () => {
  const { done } = begin('K2', 'N1', 'K2');
  expect(requesters).toMatchObject([
    { source: 'monitor', lookup: { origin: 'scheduled', traceId: 'trace', startedAtMs: clock.nowMs() } },
    { source: 'monitor' },
  ]);
  expect(new Set(requesters.map(({ lookup }) => lookup.id)).size).toBe(2);
  expect(waits).toEqual([WAIT_MS, WAIT_MS]);
  await answer('N1', { kind: 'not-recognized' });
  await answer('K2');
  expect(outcomesOf(await done)).toEqual([
    ['K2', 'observed'],
    ['N1', 'not-recognized', 'RECEIPT_NOT_RECOGNIZED'],
  ]);
});

test('each lookup leaves one row: its own stored with the answer, or the one that says it was shared', async () => {
  const { done } = begin('own', 'shared', 'failed', 'lost');
  await answer('own', { kind: 'case', isLogged: true });
  await answer('shared');
  await answer('failed', { kind: 'failure', failure: { kind: 'timeout' } });
  answers.get('lost')?.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
  await done;
  expect(rowsOf()).toEqual([
    ['shared', 'shared'],
    ['failed', 'fault', 'timeout'],
    ['lost', 'error', 'dependency-down'],
  ]);
});

test('a case that cannot be asked for fails alone', async () => {
  const { done } = begin('EAC0000000001', 'K1');
  answers.get('EAC0000000001')?.reject(new Error('a defect'));
  await answer('K1');
  expect(outcomesOf(await done)).toEqual([
    ['EAC0000000001', 'failed', 'INTERNAL'],
    ['K1', 'observed'],
  ]);
  expect(rowsOf()).toContainEqual(['EAC0000000001', 'error', 'internal']);
  expect(logged).toMatchObject([
    { level: 50, msg: 'a check failed', receiptNumber: 'EAC******0001', err: { message: 'a defect' } },
  ]);
});

test('an answer that cannot be stored has failed, and its row says so', async () => {
  const { done } = begin('K1', 'K2');
  const spent = { calls: [], queueMs: 30, agencyMs: 200 };
  await answer('K1', { kind: 'broken', message: 'broken', spent });
  await answer('K2');
  expect(outcomesOf(await done)).toEqual([
    ['K1', 'failed', 'INTERNAL'],
    ['K2', 'observed'],
  ]);
  expect(rowsOf()).toEqual([
    ['K1', 'error', 'internal'],
    ['K2', 'shared'],
  ]);
  expect(rows[0]).toMatchObject(spent);
});

test('a case for which no call was left says when one may be', async () => {
  const { done } = begin('K1');
  await answer('K1', { kind: 'failure', failure: { kind: 'budget-spent', retryAfterMs: 5_000 } });
  expect(await done).toMatchObject([{ receiptNumber: 'K1', outcome: 'no-budget', retryAfterSeconds: 5 }]);
});

test('after 3.5 s a check answers without what is missing, whose row is written when it comes', async () => {
  const { done } = begin('K1', 'K2');
  await answer('K1');
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  await clock.advance(3_499);
  expect(isDone).toBe(false);
  await clock.advance(1);
  expect(outcomesOf(await done)).toEqual([
    ['K1', 'observed'],
    ['K2', 'failed', 'AGENCY_UNAVAILABLE'],
  ]);
  let isSettled = false;
  const settled = checks.settled().then(() => {
    isSettled = true;
  });
  await clock.advance(0);
  expect(isSettled).toBe(false);
  await answer('K2');
  await settled;
  expect(rowsOf()).toEqual([
    ['K1', 'shared'],
    ['K2', 'shared'],
  ]);
});

test('a check leaves no timer behind', async () => {
  const { done } = begin('K1');
  await answer('K1');
  await done;
  expect(timers.map(({ ms, signal }) => [ms, signal?.aborted])).toEqual([[3_500, true]]);
});

const receiptNumber = 'EAC9999103403';
const failed = (failure: AgencyFailure): CheckOutcome => ({ kind: 'failure', failure });

test.each<[string, CheckOutcome, object]>([
  ['an answer', { kind: 'case' }, { outcome: 'observed' }],
  [
    'no such number',
    { kind: 'not-recognized' },
    { outcome: 'not-recognized', code: 'RECEIPT_NOT_RECOGNIZED' },
  ],
  ['no answer in time', failed({ kind: 'timeout' }), { outcome: 'failed', code: 'AGENCY_UNAVAILABLE' }],
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
    'a caller that is unavailable',
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
