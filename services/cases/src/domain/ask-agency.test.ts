import { createSignal } from '@casewatch/service-kit/runtime/signal';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Joining, QueueState, Taken } from './agency-queue.ts';
import { type AskAgency, createAskAgency } from './ask-agency.ts';
import type { UserRequester } from './lookup.ts';
import { createQueueEstimate } from './queue-estimate.ts';

const ANSWER_MS = 9_000;
const MIN_MS = 300;

/** The lookups of each statement. */
let joins: string[][];
let joined: Joining[];
/** Resolves when the statement in progress may end. */
let database: Promise<void>;
/** What the next look at the queue takes out. */
let ended: Taken[];
let broken: Error | undefined;
let takes: number;
let left: string[];
let abandoned: string[];
let lost: string[];
let mayLeave: boolean;
let refusals: number;
let state: QueueState;
let hint: ReturnType<typeof createSignal>;
let agency: AskAgency;

beforeEach(() => {
  [joins, joined, ended, left, abandoned, lost] = [[], [], [], [], [], []];
  [takes, refusals, mayLeave, broken] = [0, 0, true, undefined];
  state = { waiting: [], pausedMs: 0, quotaSpentMs: 0, isCalled: true };
  database = Promise.resolve();
  hint = createSignal();
  const queue = {
    join: async (lookups: readonly Joining[]) => {
      joins.push(lookups.map(({ requester }) => requester.lookup.id));
      joined.push(...lookups);
      await database;
    },
    take: async (answerMs: number) => {
      expect(answerMs).toBe(ANSWER_MS);
      takes += 1;
      if (broken) throw broken;
      return ended.splice(0);
    },
    lost: async (lookupIds: readonly string[]) => lookupIds.filter((id) => lost.includes(id)),
    leave: async (lookupId: string) => {
      left.push(lookupId);
      return mayLeave;
    },
    async abandon(lookupIds: readonly string[]) {
      if (broken) throw broken;
      abandoned.push(...lookupIds);
    },
    state: async () => state,
  };
  agency = createAskAgency({
    queue,
    estimate: createQueueEstimate(
      queue,
      { databaseNowMs: () => 0 },
      {
        callsPerSecond: 10,
        monitoringShare: 0.5,
        weights: { free: 1, pro: 4 },
      },
    ),
    joined: { notify: () => undefined },
    ended: hint,
    metrics: {
      refused() {
        refusals += 1;
      },
    },
    leastWaitMs: MIN_MS,
    answerMs: ANSWER_MS,
  });
});

const requester = (id: string, signal?: AbortSignal): UserRequester => ({
  source: 'user',
  userId: `user-${id}`,
  name: id,
  tier: 'free',
  lookup: { id, origin: 'single', requestId: undefined, traceId: undefined, startedAtMs: 0, signal },
});
const ask = (id: string, signal?: AbortSignal) => agency.ask('EAC9999103403', requester(id, signal), 4_000);
const turn = () => new Promise((resolve) => setImmediate(resolve));
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

/** The caller has ended some, and says so. */
function end(...some: Taken[]) {
  ended.push(...some);
  hint.notify();
}

test('lookups that come together join in one statement, and those that come during it in the next', async () => {
  const statement = Promise.withResolvers<void>();
  database = statement.promise;
  const first = [ask('1'), ask('2'), ask('3')];
  await until(() => joins.length === 1);
  const then = [ask('4'), ask('5')];
  await turn();
  expect(joins).toEqual([['1', '2', '3']]);
  database = Promise.resolve();
  statement.resolve();
  await until(() => joins.length === 2);
  expect(joins[1]).toEqual(['4', '5']);
  end(
    ...['1', '2', '3', '4', '5'].map(
      (lookupId): Taken => ({ lookupId, outcome: { kind: 'case' }, hadTurn: true, isCalled: true }),
    ),
  );
  expect(await Promise.all([...first, ...then])).toEqual(Array(5).fill({ kind: 'case' }));
});

test('each lookup gets its own outcome, at once on a hint', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = [ask('1'), ask('2')];
  await until(() => takes > 0);
  end(
    { lookupId: '2', outcome: { kind: 'not-recognized', isLogged: true }, hadTurn: true, isCalled: true },
    { lookupId: '1', outcome: { kind: 'case' }, hadTurn: true, isCalled: true },
  );
  expect(await Promise.all(asked)).toEqual([{ kind: 'case' }, { kind: 'not-recognized', isLogged: true }]);
});

test('without a signal the outcome of a caller in another process is found by polling; without waiting lookups nothing polls', async () => {
  const asked = ask('1');
  await until(() => takes > 2);
  ended.push({ lookupId: '1', outcome: { kind: 'stored' }, hadTurn: true, isCalled: true });
  expect(await asked).toEqual({ kind: 'stored' });
  const looked = takes;
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(takes).toBe(looked);
});

test('while the queue cannot be read everyone who waits fails, and who comes later is served', async () => {
  broken = new Error('the database is unavailable');
  const all = await Promise.allSettled([ask('1'), ask('2')]);
  expect(all).toEqual(Array(2).fill({ status: 'rejected', reason: broken }));
  broken = undefined;
  const later = ask('3');
  await until(() => joins.flat().includes('3'));
  end({ lookupId: '3', outcome: { kind: 'case' }, hadTurn: true, isCalled: true });
  expect(await later).toEqual({ kind: 'case' });
});

test('what has failed because the queue could not be read is taken out as soon as it can be: no call is made for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  broken = new Error('the database is unavailable');
  await Promise.allSettled([ask('1'), ask('2')]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(abandoned).toEqual([]);
  broken = undefined;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(abandoned).toEqual(['1', '2']);
  const looked = takes;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(takes).toBe(looked);
});

test('what can never be taken out is abandoned: the caller sweeps it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  broken = new Error('the database is unavailable');
  await Promise.allSettled([ask('1')]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('a lookup that may have joined although that failed is taken out, too', async () => {
  database = Promise.reject(new Error('the connection broke'));
  await expect(ask('1')).rejects.toThrow('the connection broke');
  await until(() => abandoned.includes('1'));
});

test('a lookup that is still joining when the queue cannot be read fails with the others, and nothing else', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  try {
    const first = ask('1');
    await until(() => takes > 0);
    const statement = Promise.withResolvers<void>();
    database = statement.promise;
    const second = ask('2');
    await until(() => joins.length === 2);
    broken = new Error('the database is unavailable');
    hint.notify();
    const results = Promise.allSettled([first, second]);
    await expect(first).rejects.toBe(broken);
    statement.reject(broken);
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
});

test('a lookup that cannot join fails', async () => {
  database = Promise.reject(new Error('not taken'));
  await expect(ask('1')).rejects.toThrow('not taken');
});

test('who disconnects leaves the queue, also before it has joined', async () => {
  const client = new AbortController();
  const asked = ask('1', client.signal);
  await until(() => takes > 0);
  client.abort();
  expect(await asked).toMatchObject({ kind: 'failure', failure: { kind: 'budget-busy' } });
  const aborted = ask('2', AbortSignal.abort());
  expect(await aborted).toMatchObject({ kind: 'failure' });
  expect([joins.flat(), left]).toEqual([
    ['1', '2'],
    ['1', '2'],
  ]);
});

test('who disconnects while the call is made on its turn waits for the answer, which is stored', async () => {
  mayLeave = false;
  const client = new AbortController();
  const asked = ask('1', client.signal);
  await until(() => takes > 0);
  client.abort();
  await until(() => left.length === 1);
  end({ lookupId: '1', outcome: { kind: 'case', isLogged: true }, hadTurn: true, isCalled: true });
  expect(await asked).toEqual({ kind: 'case', isLogged: true });
});

test('a lookup whose turn does not come in time fails because too many wait, and is counted', async () => {
  const asked = ask('1');
  await until(() => takes > 0);
  end({ lookupId: '1', outcome: null, hadTurn: false, isCalled: true });
  expect(await asked).toMatchObject({ kind: 'failure', failure: { kind: 'budget-busy' } });
  expect(refusals).toBe(1);
});

test('a lookup without a calling process fails with that reason, and is not counted as one of too many', async () => {
  const asked = ask('1');
  await until(() => takes > 0);
  end({ lookupId: '1', outcome: null, hadTurn: false, isCalled: false });
  expect(await asked).toEqual({ kind: 'failure', failure: { kind: 'no-caller', retryAfterMs: 5_000 } });
  expect(refusals).toBe(0);
});

test('a lookup whose row was removed without an outcome fails as unavailable, and the others keep waiting', async () => {
  const [first, second] = [ask('1'), ask('2')];
  await until(() => takes > 0);
  lost = ['1'];
  expect(await first).toEqual({ kind: 'failure', failure: { kind: 'no-caller', retryAfterMs: 5_000 } });
  end({ lookupId: '2', outcome: { kind: 'case' }, hadTurn: true, isCalled: true });
  expect(await second).toEqual({ kind: 'case' });
});

test('a lookup that had its turn and no answer has timed out', async () => {
  const asked = ask('1');
  await until(() => takes > 0);
  end({ lookupId: '1', outcome: null, hadTurn: true, isCalled: true });
  expect(await asked).toMatchObject({ kind: 'failure', failure: { kind: 'timeout' } });
  expect(refusals).toBe(0);
});

test('who cannot be served in time is refused without a write', async () => {
  state = { waiting: [], pausedMs: 5_000, quotaSpentMs: 0, isCalled: true };
  expect(await ask('1')).toEqual({ kind: 'failure', failure: { kind: 'rate-limited', retryAfterMs: 5_000 } });
  expect([joins, refusals]).toEqual([[], 1]);
});

test('a lookup waits until a caller in another process has seen it, also where it would not wait for a turn', async () => {
  for (const [id, waitMs] of [
    ['1', 0],
    ['2', 4_000],
  ] as const) {
    const asked = agency.ask('EAC9999103403', requester(id), waitMs);
    await until(() => joins.flat().includes(id));
    end({ lookupId: id, outcome: { kind: 'case' }, hadTurn: true, isCalled: true });
    await asked;
  }
  expect(joined.map(({ waitMs }) => waitMs)).toEqual([MIN_MS, 4_000]);
});
