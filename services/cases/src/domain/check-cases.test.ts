import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { AgencyResult } from './agency.ts';
import type { Asked } from './ask-agency.ts';
import { type CheckCases, createCheckCases } from './check-cases.ts';
import { type Asker, askedEnding, endLookup } from './lookup.ts';

const KNOWN = { status: 'Case Was Received', terminal: false };

let clock: ReturnType<typeof createManualClock>;
let checks: CheckCases;
/** The receipt numbers of each transaction. */
let stored: string[][];
/** Ends the transactions in progress. */
let commit: () => void;
let answers: Map<string, PromiseWithResolvers<void>>;

beforeEach(() => {
  clock = createManualClock();
  [stored, answers] = [[], new Map()];
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
        await answer.promise;
        return asked(receiptNumber, asker);
      },
      store: (some) => {
        stored.push(some.map(({ receiptNumber }) => receiptNumber));
        const { promise } = committed;
        return new Map(some.map((one) => [one, promise]));
      },
    },
    cases: {
      find: async () => undefined,
      answeredSince: async () => new Map(),
      record: async () => undefined,
      publishAgain: async () => undefined,
      recordLookups: async () => undefined,
    },
    log: { add: () => undefined, stop: async () => undefined },
    clock,
    logger: pino({ level: 'silent' }),
    waitMs: 0,
  });
});

/** An answer that the watch of a receipt number with an N does not know. */
function asked(receiptNumber: string, asker: Asker): Asked {
  const status = receiptNumber.startsWith('N') ? 'Case Was Approved' : KNOWN.status;
  const result = { kind: 'case', case: { receiptNumber, status } } as AgencyResult;
  const ended = endLookup(receiptNumber, asker, askedEnding(result, false), 0);
  return { receiptNumber, asker, result, answeredAtMs: 0, ended };
}

async function check(...receiptNumbers: string[]) {
  const known = receiptNumbers.map((receiptNumber) => ({ receiptNumber, ...KNOWN }));
  void checks.check(receiptNumbers, { known, traceId: undefined, signal: new AbortController().signal });
  await clock.advance(0);
}

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
