import type { CheckResult } from '@casewatch/contracts/check-cases';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { AgencyResult } from './agency.ts';
import type { Asked } from './ask-agency.ts';
import type { LastAnswer } from './case-store.ts';
import { type CheckCases, createCheckCases } from './check-cases.ts';
import { AskedElsewhere } from './look-up-case.ts';
import { type Asker, askedEnding, type EndedLookup, endLookup } from './lookup.ts';

const KNOWN = { status: 'Case Was Received', terminal: false };

let clock: ReturnType<typeof createManualClock>;
let checks: CheckCases;
/** The receipt numbers of each transaction. */
let stored: string[][];
/** Ends the transactions in progress. */
let commit: () => void;
let answers: Map<string, PromiseWithResolvers<void>>;
/** Who asked the agency, in order. */
let askers: Asker[];
/** What the agency says of a receipt number, where it is not the usual. */
let special: Map<string, (asker: Asker) => Asked>;
/** What was answered a moment ago: the status, or null where the agency did not recognize it. */
let justNow: Map<string, string | null>;
/** What else is stored. */
let lastAnswers: Map<string, LastAnswer>;
let published: string[][];
let rows: EndedLookup[];
let logged: object[];
/** Every time that is waited for, and whether it still is. */
let timers: { ms: number; signal: AbortSignal | undefined }[];
/** Set: the database takes nothing. */
let broken: Error | undefined;

beforeEach(() => {
  clock = createManualClock();
  [stored, published, rows, logged, askers, timers] = [[], [], [], [], [], []];
  [answers, special, justNow, lastAnswers] = [new Map(), new Map(), new Map(), new Map()];
  broken = undefined;
  let committed = Promise.withResolvers<void>();
  commit = () => {
    committed.resolve();
    committed = Promise.withResolvers();
  };
  checks = createCheckCases({
    askAgency: {
      ask: async (receiptNumber, asker) => {
        const answer = Promise.withResolvers<void>();
        answers.set(receiptNumber, answer);
        askers.push(asker);
        await answer.promise;
        return special.get(receiptNumber)?.(asker) ?? asked(receiptNumber, asker);
      },
      store: (some) => {
        stored.push(some.map(({ receiptNumber }) => receiptNumber));
        const promise = broken ? Promise.reject(broken) : committed.promise;
        return new Map(some.map((one) => [one, promise]));
      },
    },
    cases: {
      find: async () => undefined,
      lastAnswers: async (receiptNumbers, since) => {
        expect(clock.nowMs() - since.recentMs).toBe(3_000);
        expect(clock.nowMs() - since.loggedMs).toBe(7 * 86_400_000);
        const recent = [...justNow].map(
          ([number, status]) => [number, { status, isRecent: true, known: undefined }] as const,
        );
        return new Map(
          [...recent, ...lastAnswers].filter(([receiptNumber]) => receiptNumbers.includes(receiptNumber)),
        );
      },
      record: async () => undefined,
      publishAgain: async (receiptNumbers) => {
        if (broken) throw broken;
        published.push([...receiptNumbers]);
      },
      recordLookups: async () => undefined,
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
    waitMs: 0,
  });
});

/** An answer that the watch of a receipt number with an N does not know. */
function asked(receiptNumber: string, asker: Asker): Asked {
  const status = receiptNumber.startsWith('N') ? 'Case Was Approved' : KNOWN.status;
  const result = { kind: 'case', case: { status } } as AgencyResult;
  const ended = endLookup(receiptNumber, asker, askedEnding(result, false), 0);
  return { receiptNumber, asker, result, answeredAtMs: 0, ended };
}

/** Begins a check of watches that know the usual status. */
async function begin(receiptNumbers: string[], signal = new AbortController().signal) {
  const known = receiptNumbers.map((receiptNumber) => ({ receiptNumber, ...KNOWN }));
  const done = checks.check(receiptNumbers, { known, traceId: 'trace', signal });
  await clock.advance(0);
  return { done };
}

const check = (...receiptNumbers: string[]) => begin(receiptNumbers);

/** Answers all of them, and resolves to what the check says of each. */
async function resultsOf({ done }: { done: Promise<CheckResult[]> }, ...receiptNumbers: string[]) {
  await answer(...receiptNumbers);
  commit();
  const results = await done;
  return results.map(({ receiptNumber, outcome, code }) => [receiptNumber, outcome, ...(code ? [code] : [])]);
}

const rowsOf = () =>
  rows.map(({ receiptNumber, outcome, code }) => [receiptNumber, outcome, ...(code ? [code] : [])]);
const CALL = { calls: [{}], queueMs: 0, agencyMs: 0 } as unknown as Pick<
  EndedLookup,
  'calls' | 'queueMs' | 'agencyMs'
>;

async function answer(...receiptNumbers: string[]) {
  for (const receiptNumber of receiptNumbers) answers.get(receiptNumber)?.resolve();
  await clock.advance(0);
}

test('what a watch knows is stored after 150 ms, and with news 15 ms after it, in one transaction', async () => {
  await check('K1', 'K2', 'N1', 'open');
  await answer('K1');
  await clock.advance(149);
  expect(stored).toEqual([]);
  await clock.advance(1);
  commit();
  await answer('K2');
  await clock.advance(50);
  await answer('N1');
  await clock.advance(14);
  expect(stored).toEqual([['K1']]);
  await clock.advance(1);
  expect(stored).toEqual([['K1'], ['K2', 'N1']]);
});

test('the stored answer goes along with the question, to be recognized', async () => {
  const known = { status: KNOWN.status, factsHash: 'f', answerHash: 'a', logged: undefined };
  lastAnswers.set('K1', { status: KNOWN.status, isRecent: false, known });
  await check('K1', 'K2');
  expect(askers.map((asker) => asker.source === 'monitor' && asker.known)).toEqual([known, undefined]);
});

test('while several checks are in progress, a transaction begins 60 ms after the one before at the soonest', async () => {
  const one = await check('N1', 'open');
  const other = await check('N2', 'K1', 'K2');
  await answer('N1');
  await clock.advance(15);
  commit();
  await answer('N2');
  await clock.advance(15);
  await answer('K1', 'K2');
  await clock.advance(44);
  expect(stored).toEqual([['N1']]);
  await clock.advance(1);
  expect(stored).toEqual([['N1'], ['N2', 'K1', 'K2']]);
  commit();
  await other.done;
  await resultsOf(one, 'open');
  expect(stored).toEqual([['N1'], ['N2', 'K1', 'K2'], ['open']]);
});

test('a transaction that begins 60 ms after the one before waits for nothing', async () => {
  await check('N1', 'open');
  await check('K1');
  await answer('N1');
  await clock.advance(15);
  commit();
  await clock.advance(60);
  await answer('K1');
  expect(stored).toEqual([['N1'], ['K1']]);
});

test('the last answer of a check is not waited with, and takes along those of others', async () => {
  await check('K1', 'open');
  await check('K2');
  await answer('K1', 'K2');
  expect(stored).toEqual([['K1', 'K2']]);
});

test('answers gather while a transaction is in progress, and are stored beside one that takes over 100 ms', async () => {
  await check('N1', 'N2', 'N3', 'N4', 'open');
  await answer('N1');
  await clock.advance(15);
  await answer('N2');
  await clock.advance(20);
  await answer('N3');
  await clock.advance(64);
  expect(stored).toEqual([['N1']]);
  commit();
  await clock.advance(0);
  expect(stored).toEqual([['N1'], ['N2', 'N3']]);
  await answer('N4');
  await clock.advance(99);
  expect(stored).toHaveLength(2);
  await clock.advance(1);
  expect(stored).toEqual([['N1'], ['N2', 'N3'], ['N4']]);
});

test('each distinct receipt number has one call and one result, in their order, by an asker of its own', async () => {
  const one = await check('K2', 'N1', 'K2');
  expect(askers).toMatchObject([
    {
      source: 'monitor',
      lookup: { origin: 'scheduled', traceId: 'trace', startedAtMs: clock.nowMs() },
      watch: KNOWN,
    },
    { watch: KNOWN },
  ]);
  expect(new Set(askers.map(({ lookup }) => lookup.id)).size).toBe(2);
  expect(await resultsOf(one, 'K2', 'N1')).toEqual([
    ['K2', 'observed'],
    ['N1', 'observed'],
  ]);
  // Made no call: the row is not stored with the answer.
  expect(rowsOf()).toEqual([
    ['K2', 'answered'],
    ['N1', 'answered'],
  ]);
  expect(published).toEqual([]);
});

test('the row of a lookup that made a call is stored with its answer', async () => {
  special.set('K1', (asker) => withCall(asked('K1', asker)));
  expect(await resultsOf(await check('K1'), 'K1')).toEqual([['K1', 'observed']]);
  expect(rows).toEqual([]);
});

test('an answer of a moment ago is taken, and published again where the watch does not know it', async () => {
  justNow = new Map([
    ['K1', KNOWN.status],
    ['N1', 'Case Was Approved'],
    ['X1', null],
  ]);
  const one = await check('K1', 'N1', 'X1', 'K2');
  expect(published).toEqual([['N1']]);
  expect(askers).toHaveLength(1);
  expect(await resultsOf(one, 'K2')).toEqual([
    ['K1', 'observed'],
    ['N1', 'observed'],
    ['X1', 'not-recognised', 'RECEIPT_NOT_RECOGNISED'],
    ['K2', 'observed'],
  ]);
  expect(rowsOf().slice(0, 3)).toEqual([
    ['K1', 'stored'],
    ['N1', 'stored'],
    ['X1', 'not-recognized', 'not-recognized'],
  ]);
});

test('a case that can not be asked for fails alone', async () => {
  special.set('EAC0000000001', () => {
    throw new Error('a defect');
  });
  const one = await check('EAC0000000001', 'K1');
  expect(await resultsOf(one, 'EAC0000000001', 'K1')).toEqual([
    ['EAC0000000001', 'failed', 'INTERNAL'],
    ['K1', 'observed'],
  ]);
  expect(stored).toEqual([['K1']]);
  expect(rowsOf()).toContainEqual(['EAC0000000001', 'error', 'internal']);
  expect(logged).toMatchObject([
    { level: 50, msg: 'a check failed', receiptNumber: 'EAC******0001', err: { message: 'a defect' } },
  ]);
});

test('a case for which no call was left says when one may be', async () => {
  const failure = { kind: 'budget-busy', detail: 'all waiting', retryAfterMs: 5_000 } as const;
  special.set('K1', (asker) => ({
    ...asked('K1', asker),
    result: { kind: 'failure', failure },
    answeredAtMs: clock.nowMs(),
  }));
  const { done } = await check('K1');
  await answer('K1');
  commit();
  expect(await done).toMatchObject([{ receiptNumber: 'K1', outcome: 'no-budget', retryAfterSeconds: 5 }]);
});

test('a check in which nothing is to be stored ends', async () => {
  special.set('K1', () => {
    throw new Error('a defect');
  });
  expect(await resultsOf(await check('K1'), 'K1')).toEqual([['K1', 'failed', 'INTERNAL']]);
  expect(stored).toEqual([]);
});

test('answers wait on one timer, and on another for the first news among them; none is left at the end', async () => {
  const one = await check('K1', 'K2', 'N1', 'N2', 'K3');
  for (const receiptNumber of ['K1', 'K2', 'N1', 'N2']) await answer(receiptNumber);
  expect(timers.map(({ ms }) => ms)).toEqual([3_500, 150, 15]);
  await resultsOf(one, 'K3');
  expect(timers.map(({ ms }) => ms)).toEqual([3_500, 150, 15, 100]);
  expect(timers.filter(({ signal }) => !signal?.aborted)).toEqual([]);
});

test('a check that has joined a lookup that another process makes asks by itself', async () => {
  let tries = 0;
  special.set('K1', (asker) => {
    if (++tries === 1) throw new AskedElsewhere();
    return asked('K1', asker);
  });
  const one = await check('K1');
  await answer('K1');
  expect(await resultsOf(one, 'K1')).toEqual([['K1', 'observed']]);
  expect(askers[0]).toBe(askers[1]);
  expect(rowsOf()).toEqual([['K1', 'answered']]);
});

const PERSON: Asker = {
  source: 'user',
  userId: 'u',
  name: 'Ana',
  tier: 'free',
  lookup: { id: 'other', origin: 'single', requestId: undefined, traceId: undefined, startedAtMs: 0 },
};
const otherCheck = (status: string): Asker => ({
  source: 'monitor',
  lookup: { ...PERSON.lookup, origin: 'scheduled' },
  watch: { status, terminal: false, signal: new AbortController().signal },
});

test.each<[string, Asker, string, string[][]]>([
  ['of a check whose watch knew it, and this one does not', otherCheck('Case Was Approved'), 'N1', [['N1']]],
  ['of a check, whose watch knows it as this one does', otherCheck(KNOWN.status), 'K1', []],
  ['of a person, which is published in any case', PERSON, 'N1', []],
])('the answer to a call %s, is shared', async (_, first, receiptNumber, expected) => {
  special.set(receiptNumber, () => asked(receiptNumber, first));
  expect(await resultsOf(await check(receiptNumber), receiptNumber)).toEqual([[receiptNumber, 'observed']]);
  expect(rowsOf()).toEqual([[receiptNumber, 'shared']]);
  expect(published).toEqual(expected);
});

test('a shared answer without a status is not published again', async () => {
  const result: AgencyResult = { kind: 'not-recognised' };
  special.set('N1', () => ({ ...asked('N1', otherCheck(KNOWN.status)), result }));
  expect(await resultsOf(await check('N1'), 'N1')).toEqual([
    ['N1', 'not-recognised', 'RECEIPT_NOT_RECOGNISED'],
  ]);
  expect(published).toEqual([]);
});

test('a shared answer that can not be published again has failed', async () => {
  special.set('N1', () => asked('N1', otherCheck('Case Was Approved')));
  const one = await check('N1');
  await answer('N1');
  broken = new Error('no outbox');
  expect(await resultsOf(one)).toEqual([['N1', 'failed', 'INTERNAL']]);
  expect(logged).toMatchObject([{ err: { message: 'no outbox' } }]);
});

test('an answer that can not be stored has failed, and its row says so where nobody else writes it', async () => {
  broken = new Error('not taken');
  special.set('K1', (asker) => withCall(asked('K1', asker)));
  special.set('K2', () => withCall(asked('K2', PERSON)));
  const one = await check('K1', 'K2', 'K3');
  expect(await resultsOf(one, 'K1', 'K2', 'K3')).toEqual([
    ['K1', 'failed', 'INTERNAL'],
    ['K2', 'failed', 'INTERNAL'],
    ['K3', 'failed', 'INTERNAL'],
  ]);
  expect(rowsOf()).toEqual([
    ['K2', 'shared'],
    ['K3', 'answered'],
    ['K1', 'error', 'internal'],
  ]);
});

test('after 3.5 s a check answers without what is missing, which is stored and has its event when it comes', async () => {
  const one = await check('K1', 'K2');
  await answer('K1');
  await clock.advance(3_499);
  expect(askers[1]).toMatchObject({ watch: { signal: { aborted: false } } });
  commit();
  await clock.advance(1);
  expect(await one.done).toMatchObject([
    { receiptNumber: 'K1', outcome: 'observed' },
    { receiptNumber: 'K2', outcome: 'failed', code: 'AGENCY_UNAVAILABLE' },
  ]);
  expect(askers[1]).toMatchObject({ watch: { signal: { aborted: true } } });
  let isSettled = false;
  const settled = checks.settled().then(() => {
    isSettled = true;
  });
  await answer('K2');
  expect(stored).toEqual([['K1'], ['K2']]);
  expect(isSettled).toBe(false);
  commit();
  await settled;
});

test('what the watches know no longer counts for a scheduler that has gone', async () => {
  const gone = new AbortController();
  await begin(['K1', 'open'], gone.signal);
  gone.abort();
  await answer('K1');
  // As news: an event settles the watch.
  await clock.advance(15);
  expect(stored).toEqual([['K1']]);
});

function withCall(one: Asked): Asked {
  return { ...one, ended: { ...one.ended, ...CALL } };
}
