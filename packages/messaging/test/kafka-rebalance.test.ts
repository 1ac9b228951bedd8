import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startGroupWithoutBroker } from './kafka-group-harness.ts';

/** What a member commits across rebalances, whatever the client delivers after them. */

const TOPIC = 'test.user-logged-in';
const PARTITIONS = [0, 1];
const END = 12;
const WINDOW = 4;

test('an older batch that arrives after a rebalance does not have an unsettled message passed', async () => {
  const { kafka, clock, group, receive, settle, committed } = await startGroupWithoutBroker();
  kafka.join({ [TOPIC]: [0] });
  await receive(0, [50]);
  kafka.join({ [TOPIC]: [0] });
  await receive(0, [51, 52, 53]);
  await settle('0/51', '0/52', '0/53');
  await clock.advance(1_000);
  expect(committed()).toEqual([]);
  await group.stop();
  expect(committed()).toEqual([]);
});

test('a message that is in flight twice is unsettled until both deliveries are settled', async () => {
  const { kafka, clock, group, receive, settle, committed, open } = await startGroupWithoutBroker();
  kafka.join({ [TOPIC]: [0] });
  await receive(0, [50, 51]);
  kafka.join({ [TOPIC]: [0] });
  await receive(0, [50, 51, 52]);
  await settle('0/51', '0/52');
  const [first] = open;
  first?.resolve();
  await clock.advance(1_000);
  expect(committed()).toEqual([]);
  await settle('0/50');
  await clock.advance(1_000);
  expect(committed()).toEqual([[`${TOPIC} 0: 53`]]);
  await group.stop();
});

test('messages in flight of all generations together fill the window: a rebalance does not widen it', async () => {
  const { kafka, group, receive, open } = await startGroupWithoutBroker({ window: 4 });
  for (let generation = 0; generation < 10; generation++) {
    kafka.join({ [TOPIC]: [0] });
    await receive(0, [0, 1, 2]);
  }
  expect(open.size).toBe(4);
  await group.stop();
});

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant('fetch') },
  { weight: 4, arbitrary: fc.constant('deliver') },
  { weight: 6, arbitrary: fc.constant('settle') },
  { weight: 2, arbitrary: fc.constant('join') },
  { weight: 1, arbitrary: fc.constant('other') },
  { weight: 3, arbitrary: fc.constant('tick') },
  { weight: 1, arbitrary: fc.constant('fail') },
);
const steps = fc.array(
  fc.record({ step, partition: fc.constantFrom(...PARTITIONS), n: fc.nat({ max: 11 }) }),
  { minLength: 20, maxLength: 80, size: 'max' },
);

/** A broker and its client, as far as offsets go: the client delivers what it fetched in any order, also after a rebalance. */
async function startModel() {
  const member = await startGroupWithoutBroker({ window: WINDOW });
  const settled = PARTITIONS.map(() => new Set<number>());
  const committed = PARTITIONS.map(() => 0);
  const position = PARTITIONS.map(() => 0);
  let assigned: readonly number[] = [];
  const fetched: { partition: number; offsets: number[] }[] = [];
  let failing = false;
  const passed: string[] = [];

  function commit(partition: number, offset: number): void {
    for (let before = 0; before < offset; before++)
      if (!settled[partition]?.has(before)) passed.push(`${partition}: ${offset} passes ${before}`);
    committed[partition] = offset;
  }
  member.broker.commit = async (offsets) => {
    if (failing) throw new Error('the group is rebalancing');
    for (const { partitions } of offsets?.topics ?? [])
      for (const { partition, offset } of partitions) commit(partition, Number(offset));
  };

  async function deliver(index: number): Promise<void> {
    const [batch] = fetched.splice(index % Math.max(1, fetched.length), 1);
    if (!batch) return;
    const read = await member.receive(batch.partition, batch.offsets);
    if (read !== undefined) position[batch.partition] = read + 1;
  }

  const model = {
    member,
    passed,
    committed,
    fetch(partition: number, count: number): void {
      const from = position[partition] ?? 0;
      if (!assigned.includes(partition) || from >= END) return;
      const offsets = Array.from({ length: Math.min(count, END - from) }, (_, index) => from + index);
      fetched.push({ partition, offsets });
    },
    deliver,
    async settle(index: number): Promise<void> {
      const delivery = [...member.open][index % Math.max(1, member.open.size)];
      if (!delivery) return;
      const [partition = 0, offset = 0] = delivery.key.split('/').map(Number);
      settled[partition]?.add(offset);
      member.open.delete(delivery);
      delivery.resolve();
      await member.clock.advance(0);
    },
    join(partitions: readonly number[]): void {
      assigned = partitions;
      for (const partition of partitions) position[partition] = committed[partition] ?? 0;
      member.kafka.join({ [TOPIC]: [...partitions] });
    },
    /** Another member handles messages of a partition that this one does not have. */
    other(partition: number, count: number): void {
      if (assigned.includes(partition)) return;
      const to = Math.min((committed[partition] ?? 0) + count, END);
      for (let offset = committed[partition] ?? 0; offset < to; offset++) settled[partition]?.add(offset);
      commit(partition, to);
    },
    fail(fails: boolean): void {
      failing = fails;
    },
    /** Everything that was fetched arrives, and everything that arrived is settled. */
    async drain(): Promise<void> {
      while (fetched.length > 0 || member.open.size > 0) {
        await deliver(0);
        while (member.open.size > 0) await model.settle(0);
      }
    },
  };
  return model;
}

test('whatever joins, late batches and failed commits come between: no unsettled message is passed, and all are committed in the end', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (interleaving, stopsInTheMiddle) => {
      const model = await startModel();
      model.join(PARTITIONS);
      for (const { step, partition, n } of interleaving) {
        if (step === 'fetch') model.fetch(partition, 1 + (n % 5));
        if (step === 'deliver') await model.deliver(n);
        if (step === 'settle') await model.settle(n);
        if (step === 'join') model.join(PARTITIONS.filter((one) => n % 3 !== one));
        if (step === 'other') model.other(partition, n % 4);
        if (step === 'tick') await model.member.clock.advance(500);
        if (step === 'fail') model.fail(n % 3 === 0);
        expect(model.passed).toEqual([]);
      }
      if (!stopsInTheMiddle) {
        await model.drain();
        model.fail(false);
        model.join(PARTITIONS);
        for (let round = 0; round < END; round++) {
          for (const partition of PARTITIONS) model.fetch(partition, 5);
          await model.drain();
        }
        await model.member.clock.advance(1_000);
        expect(model.committed).toEqual(PARTITIONS.map(() => END));
      }
      await model.member.group.stop();
      expect(model.passed).toEqual([]);
    }),
    { numRuns: 500 },
  );
}, 60_000);
