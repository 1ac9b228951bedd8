import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { type CallDispatcher, type Change, createCallQueue, type Participant } from './call-queue.ts';

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
