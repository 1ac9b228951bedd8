import type { CheckResult } from '@casewatch/contracts/check-cases';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { beforeEach, expect, test } from 'vitest';
import { type Checking, checkDueWatches } from './check-due-watches.ts';

type Outcome = CheckResult['outcome'];

/** How each watch was settled, by its receipt number: the way, and the failure. */
let settled: Map<string, [string, string | null]>;
let counted: [string, number][];
interface Asked {
  readonly receiptNumbers: readonly string[];
}
let answer: (asked: Asked) => Promise<CheckResult[]>;
let checking: Checking;

beforeEach(() => {
  settled = new Map();
  counted = [];
  const settle = (way: string, receiptNumbers: readonly string[], failure: string | null) => {
    for (const one of receiptNumbers) settled.set(one, [way, failure]);
  };
  const services = {
    call: async (_: unknown, { body }: { body: Asked }) => ({ results: await answer(body) }),
  };
  checking = {
    store: {
      claim: async ({ leaseMs, limit }) => ({
        leaseUntilMs: leaseMs,
        receiptNumbers: ['A', 'B', 'C', 'D', 'E', 'F'].slice(0, limit),
      }),
      finish: async (_claim, some) => settle('finished', some, null),
      deny: async (_claim, some, failure) => settle('denied', some, failure),
      postpone: async (_claim, some, failure) => settle('postponed', some, failure),
      release: async (_claim, some, failure) => settle('released', some, failure),
    },
    services: services as unknown as ServiceClient,
    leaseMs: 60_000,
    tracing: noTracing,
    count: (outcome, checks) => void counted.push([outcome, checks]),
  };
});

const result = (receiptNumber: string, outcome: Outcome, more: Partial<CheckResult> = {}): CheckResult => ({
  receiptNumber,
  outcome,
  ...more,
});
const pass = (limit = 6, signal = new AbortController().signal) => checkDueWatches(checking, limit, signal);

test('each watch is settled by its own result, and the longest wait of those held back counts', async () => {
  answer = async () => [
    result('A', 'observed'),
    result('B', 'refused', { code: 'AGENCY_REFUSED' }),
    result('C', 'failed', { code: 'AGENCY_BUSY' }),
    result('D', 'failed', { code: 'AGENCY_BUSY', retryAfterSeconds: 7 }),
    result('E', 'no-budget', { code: 'AGENCY_BUSY', retryAfterSeconds: 2 }),
  ];
  expect(await pass()).toEqual({ claimed: 6, heldBack: 3, retryAfterMs: 7_000 });
  expect(Object.fromEntries(settled)).toEqual({
    A: ['finished', null],
    B: ['denied', 'AGENCY_REFUSED'],
    C: ['postponed', 'AGENCY_BUSY'],
    D: ['released', 'AGENCY_BUSY'],
    E: ['released', 'BUDGET_SPENT'],
    // Without a result it was not checked.
    F: ['released', 'UNAVAILABLE'],
  });
  expect(counted).toEqual([
    ['observed', 1],
    ['refused', 1],
    ['failed', 2],
    ['no-budget', 1],
  ]);
});

test('a failure that says "at once" holds for all, too', async () => {
  answer = async () => [result('A', 'failed', { retryAfterSeconds: 0 })];
  expect(await pass(1)).toEqual({ claimed: 1, heldBack: 1, retryAfterMs: 0 });
  expect(settled.get('A')).toEqual(['released', 'AGENCY_UNAVAILABLE']);
});

test('checks that cases did not answer are released with the reason, and counted as unasked', async () => {
  const error = new Error('unavailable');
  answer = () => Promise.reject(error);
  expect(await pass(2)).toEqual({ claimed: 2, heldBack: 2, retryAfterMs: undefined, error });
  expect([...settled.values()]).toEqual(Array(2).fill(['released', 'UNAVAILABLE']));
  expect(counted).toEqual([['unasked', 2]]);
});

test('checks that are abandoned are released as they were, without waiting for their results', async () => {
  const abandon = new AbortController();
  answer = () => new Promise(() => undefined);
  const passing = pass(2, abandon.signal);
  abandon.abort(new Error('stopping'));
  expect(await passing).toMatchObject({ heldBack: 2, error: abandon.signal.reason });
  expect([...settled.values()]).toEqual(Array(2).fill(['released', null]));
  // Also by a pass that begins after that.
  expect(await pass(1, abandon.signal)).toMatchObject({ heldBack: 1, error: abandon.signal.reason });
});

test('where nothing is due cases is not asked', async () => {
  answer = () => expect.fail('asked');
  expect(await pass(0)).toEqual({ claimed: 0, heldBack: 0, retryAfterMs: undefined });
  expect(counted).toEqual([]);
});
