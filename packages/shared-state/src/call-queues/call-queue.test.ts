import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import {
  type CallDispatcher,
  CallRefusal,
  type Change,
  createCallQueue,
  type Dispatched,
  type Participant,
} from './call-queue.ts';

const SCHEDULED: Participant = { kind: 'scheduled' };
const RULE = { name: 'agency', calls: 10, windowMs: 1_001, leaseMs: 2_000, scheduledShare: 0.5 };

/** A store that did not know this process: it is given every waiting ticket when it answers, and grants all of them. */
function forgetfulStore() {
  const answering = Promise.withResolvers<void>();
  const entered: number[][] = [];
  const released: number[] = [];
  const granting = new Set<number>();
  const dispatcher: CallDispatcher = {
    async dispatch(change: Change) {
      const isFirst = entered.length === 0;
      entered.push(change.entered.map(({ id }) => id));
      if (isFirst) await answering.promise;
      for (const { id } of isFirst ? change.waiting() : change.entered) granting.add(id);
      const granted = [...granting];
      granting.clear();
      return { granted, waitMs: 0, againMs: 50, depth: { turns: 0, users: 0, scheduled: 0 } };
    },
    done: () => undefined,
    release: (id) => released.push(id),
    pause: () => undefined,
  };
  return { dispatcher, entered, released, answer: answering.resolve };
}

test('a ticket that came while a store learned of all tickets is entered once: its permit stays with its call', async () => {
  const store = forgetfulStore();
  const queue = createCallQueue({ rule: RULE, dispatcher: store.dispatcher, clock: createManualClock() });
  const first = queue.take(SCHEDULED, 10_000);
  const second = queue.take(SCHEDULED, 10_000);
  store.answer();
  for (const lease of [await first, await second]) lease.done();
  (await queue.take(SCHEDULED, 10_000)).done();
  expect(store.entered.flat(), 'each ticket').toEqual([1, 3]);
  expect(store.released, 'no permit of a call that was made').toEqual([]);
  queue.stop();
});

/** A queue in front of a store that answers by `dispatch`: unless set, it grants what is entered. */
function queueOf(clock: Clock = createManualClock()) {
  const changes: { entered: number[]; left: readonly number[] }[] = [];
  const released: number[] = [];
  const answer = (granted: number[]): Dispatched => ({
    granted,
    waitMs: 0,
    againMs: 50,
    depth: { turns: 0, users: 0, scheduled: 0 },
  });
  const store = {
    dispatch: async (entered: number[]): Promise<Dispatched> => answer(entered),
  };
  const dispatcher: CallDispatcher = {
    dispatch: ({ entered, left }) => {
      const ids = entered.map(({ id }) => id);
      changes.push({ entered: ids, left });
      return store.dispatch(ids);
    },
    done: () => undefined,
    release: (id) => released.push(id),
    pause: () => undefined,
  };
  return { queue: createCallQueue({ rule: RULE, dispatcher, clock }), store, changes, released, answer };
}
const refusal = (call: Promise<unknown>) => call.catch((reason: unknown) => reason);

test.each([
  ['half a lease', 1_000, []],
  ['more than half a lease', 1_001, [1]],
])(
  'a permit that took %s to come is used, or given back and asked for again',
  async (_name, tookMs, givenBack) => {
    const clock = createManualClock();
    const { queue, store, changes, released, answer } = queueOf(clock);
    const answered = Promise.withResolvers<void>();
    const { dispatch } = store;
    store.dispatch = async (entered) => {
      store.dispatch = dispatch;
      await answered.promise;
      return answer(entered);
    };
    const lease = queue.take(SCHEDULED, 10_000);
    await clock.advance(tookMs);
    answered.resolve();
    (await lease).done();
    expect(released).toEqual(givenBack);
    expect(changes.flatMap(({ entered }) => entered)).toEqual([1, ...givenBack]);
    queue.stop();
  },
);

test('a permit that is not used within half a lease has expired, counted from when it was asked for', async () => {
  const clock = createManualClock();
  const { queue, store, answer } = queueOf(clock);
  store.dispatch = async (entered) => {
    await clock.jump(400);
    return answer(entered);
  };
  const lease = await queue.take(SCHEDULED, 10_000);
  await clock.advance(600);
  expect(lease.isExpired()).toBe(false);
  await clock.advance(1);
  expect(lease.isExpired()).toBe(true);
  queue.stop();
});

test('a caller that has given up gets no permit, and one that has a permit keeps it', async () => {
  const { queue, changes } = queueOf();
  await expect(queue.take(SCHEDULED, 10_000, AbortSignal.abort('gone'))).rejects.toBe('gone');
  expect([changes, queue.depth()]).toEqual([[], { user: 0, scheduled: 0 }]);
  const caller = new AbortController();
  await queue.take(SCHEDULED, 10_000, caller.signal);
  caller.abort('gone');
  await queue.take(SCHEDULED, 10_000);
  expect(changes.flatMap(({ left }) => left)).toEqual([]);
  queue.stop();
});

test('each call waits for its own time, whichever came first, also when the clock is set back', async () => {
  const manual = createManualClock();
  let setBackMs = 0;
  const { queue, store, answer } = queueOf({ ...manual, nowMs: () => manual.nowMs() - setBackMs });
  store.dispatch = async () => answer([]);
  const refusedAfter: number[] = [];
  for (const withinMs of [3_000, 1_000, 2_000, 2_000])
    void refusal(queue.take(SCHEDULED, withinMs)).then(() => refusedAfter.push(withinMs));
  await manual.advance(0);
  for (const [passedMs, refused] of [
    [1_000, []],
    [1, [1_000]],
    [999, [1_000]],
    [1, [1_000, 2_000, 2_000]],
  ] as const) {
    await manual.advance(passedMs);
    expect(refusedAfter).toEqual(refused);
  }
  setBackMs = 3_600_000;
  await manual.advance(1_000);
  expect(refusedAfter).toEqual([1_000, 2_000, 2_000, 3_000]);
  queue.stop();
});

test('while permits can’t be counted every caller is to come back in two seconds; then calls are granted again', async () => {
  const { queue, store, changes } = queueOf();
  const { dispatch } = store;
  store.dispatch = () => Promise.reject(new Error('no store'));
  const refused = await Promise.all([1, 2].map(() => refusal(queue.take(SCHEDULED, 10_000))));
  expect(refused).toEqual([
    expect.objectContaining({ reason: 'unavailable', retryAfterMs: 2_000 }),
    expect.objectContaining({ reason: 'unavailable', retryAfterMs: 2_000 }),
  ]);
  expect(queue.depth()).toEqual({ user: 0, scheduled: 0 });
  store.dispatch = dispatch;
  (await queue.take(SCHEDULED, 10_000)).done();
  expect(changes.at(-1)).toEqual({ entered: [3], left: [] });
  queue.stop();
});

test('a queue that stops refuses what waits and what comes, for a second', async () => {
  const { queue, store } = queueOf();
  store.dispatch = () => new Promise(() => undefined);
  const waiting = refusal(queue.take(SCHEDULED, 10_000));
  queue.stop();
  const refused = [await waiting, await refusal(queue.take(SCHEDULED, 10_000))];
  for (const each of refused) expect(each).toMatchObject({ reason: 'busy', retryAfterMs: 1_000 });
});

test('a process keeps ten thousand calls waiting, a thousand of each participant', async () => {
  const { queue, store } = queueOf({ nowMs: () => 0, sleep: () => new Promise(() => undefined) });
  store.dispatch = () => new Promise(() => undefined);
  const ask = (id: string) => refusal(queue.take({ kind: 'user', id, weight: 1 }, 3_600_000));
  for (let user = 0; user < 10; user++) {
    for (let nth = 0; nth < 999; nth++) void ask(`user ${user}`);
  }
  for (let user = 0; user < 9; user++) void ask(`user ${user}`);
  expect(queue.depth().user).toBe(9_999);
  expect(await ask('user 0')).toBeInstanceOf(CallRefusal);
  void ask('user 9');
  expect(await ask('one more')).toBeInstanceOf(CallRefusal);
  expect(queue.depth().user).toBe(10_000);
  queue.stop();
});

test('the time to come back is in whole milliseconds, and never past', () => {
  expect([new CallRefusal(0.2).retryAfterMs, new CallRefusal(-5).retryAfterMs]).toEqual([1, 0]);
  expect(new CallRefusal(0).message).toBe('no call is available in time');
  expect(new CallRefusal(0, 'unavailable').message).toBe("the permits can't be counted");
});
