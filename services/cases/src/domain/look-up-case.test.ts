import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { beforeEach, expect, test } from 'vitest';
import type { FailureKind } from './agency-failure.ts';
import type { Outcome } from './agency-queue.ts';
import type { Known } from './known-cases.ts';
import { createLookUpCase, type LookUpCase } from './look-up-case.ts';
import type { EndedLookup, Requester, Spent, UserRequester } from './lookup.ts';

const NUMBER = 'EAC9999103403';
const RESULT = { receiptNumber: NUMBER, caseStatus: 'Case Was Approved' } as CaseStatusResult;
const OLDER = { receiptNumber: NUMBER, caseStatus: 'Case Was Received' } as CaseStatusResult;
const ADA: UserRequester = {
  source: 'user',
  userId: 'ada',
  name: 'Ada',
  tier: 'free',
  lookup: { id: 'l', origin: 'single', requestId: undefined, traceId: undefined, startedAtMs: 0 },
};

const FRESH: Known = { result: RESULT, isDenied: false, isFresh: true };
const OLD: Known = { result: OLDER, isDenied: false, isFresh: false };
const DENIED: Known = { result: OLDER, isDenied: true, isFresh: true };

/** What the store knows at each read; the last one from then on. */
let reads: (Known | undefined | Error)[];
let outcome: Outcome | Error;
/** Who waited for the agency. */
let asked: Requester[];
let rows: [string, string?][];
let logged: EndedLookup[];
let lookUp: LookUpCase;

beforeEach(() => {
  [asked, rows, logged] = [[], [], []];
  lookUp = createLookUpCase({
    askAgency: {
      ask: async (_receiptNumber, requester, waitMs) => {
        expect(waitMs).toBe(4_000);
        asked.push(requester);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    },
    readKnown: async () => {
      const known = reads.length > 1 ? reads.shift() : reads[0];
      if (known instanceof Error) throw known;
      return known;
    },
    log: {
      add(row) {
        logged.push(row);
        rows.push(row.code ? [row.outcome, row.code] : [row.outcome]);
      },
      stop: async () => undefined,
    },
    clock: createManualClock(),
    waitMs: 4_000,
  });
});

const failure = (kind: FailureKind): Outcome => ({ kind: 'failure', failure: { kind } });

test('a fresh answer is given without the agency, from the store', async () => {
  reads = [FRESH];
  expect(await lookUp(NUMBER, ADA)).toEqual(RESULT);
  reads = [DENIED];
  await expect(lookUp(NUMBER, ADA)).rejects.toMatchObject({ code: 'RECEIPT_NOT_RECOGNIZED' });
  expect(asked).toEqual([]);
  expect(rows).toEqual([['stored'], ['not-recognized', 'not-recognized']]);
});

test('the agency’s answer is what was stored, and the row of the call is not written twice', async () => {
  [reads, outcome] = [[OLD, FRESH], { kind: 'case', isLogged: true }];
  expect(await lookUp(NUMBER, ADA)).toEqual(RESULT);
  expect(rows).toEqual([]);
  [reads, outcome] = [[undefined, DENIED], { kind: 'not-recognized', isLogged: true }];
  await expect(lookUp(NUMBER, ADA)).rejects.toMatchObject({ code: 'RECEIPT_NOT_RECOGNIZED' });
  expect(rows).toEqual([]);
});

test.each<[string, Outcome, Known, [string, string?]]>([
  ['the call of another user', { kind: 'case' }, FRESH, ['shared']],
  ['what the store had when its turn came', { kind: 'stored' }, FRESH, ['stored']],
])('a lookup that is answered by %s has a row of its own', async (_name, ended, after, row) => {
  [reads, outcome] = [[undefined, after], ended];
  expect(await lookUp(NUMBER, ADA)).toEqual(RESULT);
  expect(rows).toEqual([row]);
});

test('what the agency said of a number that it does not recognize is said again as long as that is remembered', async () => {
  const said = { code: 'RECEIPT_NOT_RECOGNIZED', agencyMessage: 'Not found.' };
  reads = [{ ...DENIED, agencyMessage: 'Not found.' }];
  await expect(lookUp(NUMBER, ADA)).rejects.toMatchObject(said);
  [reads, outcome] = [[undefined, { ...DENIED, agencyMessage: 'Not found.' }], { kind: 'stored' }];
  await expect(lookUp(NUMBER, ADA)).rejects.toMatchObject(said);
});

test('what was stored in the meantime as not recognized is no answer', async () => {
  [reads, outcome] = [[undefined, DENIED], { kind: 'stored' }];
  await expect(lookUp(NUMBER, ADA)).rejects.toMatchObject({ code: 'RECEIPT_NOT_RECOGNIZED' });
  expect(rows).toEqual([['not-recognized', 'not-recognized']]);
});

test.each<FailureKind>([
  'budget-busy',
  'budget-spent',
  'quota-spent',
  'rate-limited',
  'unavailable',
  'timeout',
  'resting',
])('when the agency cannot be asked (%s), an older answer comes marked as stale', async (kind) => {
  [reads, outcome] = [[OLD], failure(kind)];
  const { stale, ...result } = await lookUp(NUMBER, ADA);
  expect(result).toEqual(OLDER);
  expect(stale).toMatchObject({
    code: expect.stringMatching(/^(AGENCY|BUDGET)_/),
    reason: expect.any(String),
  });
  expect(asked).toMatchObject([{ lookup: { canServeStale: true } }]);
  expect(rows).toMatchObject([[expect.any(String), kind]]);
});

test.each<[string, Known | undefined, FailureKind, string]>([
  ['nothing is stored', undefined, 'unavailable', 'AGENCY_UNAVAILABLE'],
  [
    'the last answer was "not recognized"',
    { ...DENIED, isFresh: false },
    'unavailable',
    'AGENCY_UNAVAILABLE',
  ],
  ['the agency refuses the number', OLD, 'refused', 'AGENCY_REFUSED'],
])('no older answer is shown where %s', async (_name, before, kind, code) => {
  [reads, outcome] = [[before], failure(kind)];
  await expect(lookUp(NUMBER, ADA)).rejects.toMatchObject({ code });
});

test('what something of our own has kept from an answer fails, with one row', async () => {
  const refused = Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' });
  reads = [refused];
  await expect(lookUp(NUMBER, ADA)).rejects.toBe(refused);
  [reads, outcome] = [[OLD], refused];
  await expect(lookUp(NUMBER, ADA)).rejects.toBe(refused);
  [reads, outcome] = [[OLD], { kind: 'broken', message: 'broken' }];
  await expect(lookUp(NUMBER, ADA)).rejects.toThrow('broken');
  [reads, outcome] = [[OLD, refused], { kind: 'case' }];
  await expect(lookUp(NUMBER, ADA)).rejects.toBe(refused);
  expect(rows).toEqual([
    ['error', 'dependency-down'],
    ['error', 'dependency-down'],
    ['error', 'internal'],
    ['error', 'dependency-down'],
  ]);
});

const SPENT: Spent = {
  calls: [{ statusCode: 200, code: undefined, response: '{}', durationMs: 200 }],
  queueMs: 30,
  agencyMs: 200,
};

test('the row of a lookup whose answer could not be stored has the calls that were made for it', async () => {
  [reads, outcome] = [[OLD], { kind: 'broken', message: 'broken', spent: SPENT }];
  await expect(lookUp(NUMBER, ADA)).rejects.toThrow('broken');
  outcome = { ...failure('rate-limited'), spent: SPENT };
  await lookUp(NUMBER, ADA);
  expect(logged).toMatchObject([
    { outcome: 'error', ...SPENT },
    { outcome: 'quota', ...SPENT },
  ]);
});

test('a lookup whose row was stored with the answer has no second one where that cannot be read', async () => {
  const refused = Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' });
  [reads, outcome] = [[OLD, refused], { kind: 'case', isLogged: true }];
  await expect(lookUp(NUMBER, ADA)).rejects.toBe(refused);
  expect(rows).toEqual([]);
});
