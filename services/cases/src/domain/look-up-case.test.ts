import type { CaseStatusResult } from '@casewatch/contracts/cases';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { beforeEach, expect, test } from 'vitest';
import type { AgencyResult } from './agency.ts';
import type { FailureKind } from './agency-failure.ts';
import type { AskAgency, Asked } from './ask-agency.ts';
import type { Known } from './known-cases.ts';
import { createLookUpCase, type LookUpCase } from './look-up-case.ts';
import { type Asker, endLookup, storedEnding } from './lookup.ts';

const NUMBER = 'EAC9999103403';
const RESULT = { receiptNumber: NUMBER, caseStatus: 'Case Was Approved' } as CaseStatusResult;
const lookup = (id: string) =>
  ({ id, origin: 'single', requestId: undefined, traceId: undefined, startedAtMs: 0 }) as const;
const ADA: Asker = { source: 'user', userId: 'ada', name: 'Ada', tier: 'free', lookup: lookup('of-ada') };
const CHECK: Asker = { source: 'monitor', lookup: lookup('of-a-check') };

const clock = createManualClock();
const FRESH: Known = { notRecognisedAtMs: null, observedAtMs: clock.nowMs(), result: RESULT };
const OLD: Known = { ...FRESH, observedAtMs: clock.nowMs() - 60_000 };

/** What happened, in order. */
let steps: string[];
/** What the store knows at each read; the last one from then on. */
let reads: (Known | undefined)[];
let canTake: boolean[];
let ask: AskAgency['ask'];
let outcomes: string[];
let lookUp: LookUpCase;

beforeEach(() => {
  [steps, outcomes, canTake] = [[], [], []];
  lookUp = createLookUpCase({
    askAgency: {
      ask: (...asked) => ask(...asked),
      store: (some) => new Map(some.map((one) => [one, Promise.resolve()])),
    },
    known: {
      remembered: () => undefined,
      read: async () => (reads.length > 1 ? reads.shift() : reads[0]),
      forget: () => undefined,
    },
    turns: {
      take: async () => {
        steps.push('take');
        return canTake.shift() ?? true;
      },
      end: async () => void steps.push('end'),
      waitFor: async (_number, look) => {
        steps.push('wait');
        return look();
      },
    },
    log: { add: ({ outcome }) => void outcomes.push(outcome), stop: async () => undefined },
    clock,
    freshnessMs: 60_000,
    notRecognisedMs: 300_000,
  });
});

function asked(result: AgencyResult, asker: Asker = ADA): Asked {
  const ended = endLookup(NUMBER, asker, storedEnding(true), 0);
  return { receiptNumber: NUMBER, asker, result, answeredAtMs: 0, ended };
}
const failure = (kind: FailureKind): AgencyResult => ({ kind: 'failure', failure: { kind } });
const found: AgencyResult = { kind: 'case', case: {} as never };

test('a case that another process has stored before the call is not asked for, and the turn is ended', async () => {
  reads = [undefined, FRESH];
  ask = async (_number, _asker, beforeCall) => {
    await beforeCall?.();
    return expect.fail('the agency was asked');
  };
  expect(await lookUp(NUMBER, ADA)).toEqual(RESULT);
  expect(steps).toEqual(['take', 'end', 'wait']);
  expect(outcomes).toEqual(['shared']);
});

test('what another process has found not to be recognized is no shared answer', async () => {
  const unknown = { notRecognisedAtMs: clock.nowMs(), observedAtMs: 0, result: null };
  reads = [undefined, unknown];
  canTake = [false];
  ask = async (_number, _asker, beforeCall) => {
    await beforeCall?.();
    return expect.fail('the agency was asked');
  };
  await expect(lookUp(NUMBER, ADA)).rejects.toMatchObject({ code: 'RECEIPT_NOT_RECOGNISED' });
  expect(outcomes).toEqual(['not-recognized']);
});

test('where another process has learned nothing, the agency is asked without a second wait', async () => {
  reads = [undefined, undefined, FRESH];
  canTake = [false, false];
  ask = async (_number, _asker, beforeCall) => {
    await beforeCall?.();
    steps.push('ask');
    return asked(found);
  };
  expect(await lookUp(NUMBER, ADA)).toEqual(RESULT);
  expect(steps).toEqual(['take', 'wait', 'take', 'ask']);
});

test('a second try of one lookup takes no second turn, and the turn is ended once', async () => {
  reads = [undefined, undefined, FRESH];
  ask = async (_number, _asker, beforeCall) => {
    await beforeCall?.();
    await beforeCall?.();
    return asked(found);
  };
  await lookUp(NUMBER, ADA);
  expect(steps).toEqual(['take', 'end']);
});

test('a turn whose call could not be made or stored is ended, and others do not wait for it', async () => {
  const broken = new Error('the database is gone');
  reads = [undefined];
  ask = async (_number, _asker, beforeCall) => {
    await beforeCall?.();
    throw broken;
  };
  await expect(lookUp(NUMBER, ADA)).rejects.toBe(broken);
  expect(steps).toEqual(['take', 'end']);
  canTake = [false];
  await expect(lookUp(NUMBER, ADA)).rejects.toBe(broken);
  expect(steps.slice(2)).toEqual(['take', 'wait', 'take', 'end']);
});

test.each<[FailureKind, boolean]>([
  ['budget-busy', true],
  ['budget-spent', true],
  ['budget-unavailable', true],
  ['rate-limited', true],
  ['unavailable', false],
  ['resting', false],
])('a person who has joined a check that ended with %s asks again: %s', async (kind, asksAgain) => {
  reads = [undefined, FRESH];
  const answers = [asked(failure(kind), CHECK), asked(found)];
  ask = async () => answers.shift() ?? expect.fail('asked too often');
  const answer = lookUp(NUMBER, ADA);
  if (asksAgain) expect(await answer).toEqual(RESULT);
  else await expect(answer).rejects.toMatchObject({ code: 'AGENCY_UNAVAILABLE' });
  expect(answers).toHaveLength(asksAgain ? 0 : 1);
});

test('a person’s own failure is not tried again', async () => {
  reads = [OLD];
  const answers = [asked(failure('budget-busy'))];
  ask = async () => answers.shift() ?? expect.fail('asked again');
  expect(await lookUp(NUMBER, ADA)).toEqual({
    ...RESULT,
    stale: { code: 'AGENCY_BUSY', reason: expect.any(String) },
  });
});
