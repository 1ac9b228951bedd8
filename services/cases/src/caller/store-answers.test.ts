import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { caseOf, person } from '../../test/caller-fixture.ts';
import type { AgencyResult } from '../domain/agency.ts';
import type { End } from '../domain/agency-queue.ts';
import type { LookUpRecord } from '../domain/case-store.ts';
import { createStoreAnswers, type Storing } from './store-answers.ts';
import { newAttempt, type Queued, type Wanted } from './waiting-cases.ts';

/** The receipt numbers of each transaction that was begun, and the records of those that were committed. */
let begun: string[][];
let committed: LookUpRecord[];
let ends: End[];
let logged: Record<string, unknown>[];
let fails: (receiptNumbers: string[]) => Error | undefined;
let store: (all: readonly Storing[]) => Promise<void>;
const clock = createManualClock();

beforeEach(() => {
  [begun, committed, ends, logged] = [[], [], [], []];
  fails = () => undefined;
  const endAll = (all: readonly End[]) => {
    ends.push(...all);
    return new Map(all.map(({ receiptNumber }) => [`of-${receiptNumber}`, false]));
  };
  store = createStoreAnswers({
    cases: {
      record: async (records) => {
        const receiptNumbers = records.map(({ end }) => end.receiptNumber);
        begun.push(receiptNumbers);
        const error = fails(receiptNumbers);
        if (error) throw error;
        committed.push(...records);
        return endAll(records.map(({ end }) => end));
      },
    },
    queue: {
      claim: async () => [],
      begin: async () => ({ waits: false, people: false, fresh: false }),
      undo: async () => undefined,
      sweep: async () => undefined,
      end: async (all) => endAll(all),
    },
    clock,
    epoch: 7,
    logger: pino({}, { write: (line) => void logged.push(JSON.parse(line)) }),
  });
});

const CALL = { statusCode: 200, code: undefined, response: '{}', durationMs: 200 };

/** An answer about a case that one lookup waits for. */
function answered(
  receiptNumber: string,
  result: AgencyResult = { kind: 'case', case: caseOf(receiptNumber) },
): Storing {
  const requester = person('ada');
  const payer: Queued = {
    id: `of-${receiptNumber}`,
    receiptNumber,
    requester,
    waitedMs: 30,
    leftMs: 4_000,
    claimedAtMs: clock.nowMs(),
  };
  const attempt = { ...newAttempt(10_000), calls: [CALL], payer, queueMs: 30, agencyMs: 200 };
  const one: Wanted = { receiptNumber, lookups: new Map([[payer.id, payer]]), isBusy: true, attempt };
  return {
    one,
    answer: { result, payer, sentMs: clock.nowMs(), request: 1, callNumber: 7n },
    ended: new Set(),
  };
}
const endedOf = (all: readonly Storing[]) => all.map(({ ended }) => [...ended]);

test('answers are stored together, each with the outcome of those who wait and the row of its calls', async () => {
  const all = [answered('K1'), answered('K2', { kind: 'not-recognized' })];
  await store(all);
  expect(begun).toEqual([['K1', 'K2']]);
  expect(endedOf(all)).toEqual([['of-K1'], ['of-K2']]);
  expect(committed).toMatchObject([
    {
      end: {
        receiptNumber: 'K1',
        lookupIds: null,
        outcome: { kind: 'case' },
        own: { lookupId: 'of-K1', isLogged: true },
      },
      ended: { outcome: 'answered', calls: [CALL], queueMs: 30, agencyMs: 200 },
      answer: { call: { receiptNumber: 'K1', callNumber: '7' }, says: { snapshot: { status: 'About K1' } } },
    },
    { end: { outcome: { kind: 'not-recognized' } }, answer: { says: 'not-recognized' } },
  ]);
});

test('a failure leaves no answer but its outcome and its row; a refusal is an answer without a status', async () => {
  await store([
    answered('K1', { kind: 'failure', failure: { kind: 'timeout' } }),
    answered('K2', { kind: 'failure', failure: { kind: 'refused' } }),
  ]);
  expect(committed[0]).not.toHaveProperty('answer');
  expect(committed[0]).toMatchObject({
    end: { outcome: { failure: { kind: 'timeout' } }, epoch: 7 },
    ended: { code: 'timeout' },
  });
  expect(committed[1]).toMatchObject({ answer: { says: 'refused' } });
  expect(committed[1]?.end).not.toHaveProperty('epoch');
});

test('of a batch that the database refuses, each is stored alone; one that cannot be stored ends as broken, with its calls', async () => {
  fails = (receiptNumbers) => (receiptNumbers.includes('EAC0000000002') ? new Error('not taken') : undefined);
  const all = [answered('EAC0000000001'), answered('EAC0000000002'), answered('EAC0000000003')];
  await store(all);
  expect(committed.map(({ end }) => end.receiptNumber)).toEqual(['EAC0000000001', 'EAC0000000003']);
  expect(ends.filter(({ outcome }) => outcome.kind === 'broken')).toEqual([
    {
      receiptNumber: 'EAC0000000002',
      lookupIds: null,
      outcome: { kind: 'broken', message: 'not taken' },
      epoch: 7,
      own: { lookupId: 'of-EAC0000000002', spent: { calls: [CALL], queueMs: 30, agencyMs: 200 } },
    },
  ]);
  expect(endedOf(all)).toEqual([['of-EAC0000000001'], ['of-EAC0000000002'], ['of-EAC0000000003']]);
  expect(logged).toMatchObject([
    { level: 50, msg: 'an answer cannot be stored', receiptNumber: 'EAC******0002' },
  ]);
});

test('an answer about another case than was asked for is never stored, and harms no other', async () => {
  const all = [answered('K1'), answered('K2', { kind: 'case', case: caseOf('K1') })];
  await store(all);
  expect(committed.map(({ end }) => end.receiptNumber)).toEqual(['K1']);
  expect(ends).toMatchObject([
    { receiptNumber: 'K1' },
    { receiptNumber: 'K2', lookupIds: null, outcome: { kind: 'broken' } },
  ]);
});

test('while the database is unavailable no lookup is answered', async () => {
  const refused = Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' });
  fails = () => refused;
  const all = [answered('K1'), answered('K2')];
  await expect(store(all)).rejects.toBe(refused);
  expect([begun.length, ends, endedOf(all)]).toEqual([1, [], [[], []]]);
});
