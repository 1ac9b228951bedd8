import { afterEach, expect, test, vi } from 'vitest';
import { startGroupWithoutBroker } from '../../test/kafka-group-harness.ts';

let stop: () => Promise<void> = async () => undefined;
afterEach(async () => {
  vi.useRealTimers();
  await stop();
});

async function start(options: Parameters<typeof startGroupWithoutBroker>[0] = {}) {
  const started = await startGroupWithoutBroker(options);
  stop = started.group.stop;
  return started;
}

test('messages are dispatched in their order as events of their topics, without waiting for them', async () => {
  const { group, receive, dispatched, steps } = await start();
  expect([group.groupId, group.topics]).toEqual(['test.cases', ['test.user-logged-in', 'test.user-deleted']]);
  await receive(0, [5, 6]);
  await receive(0, [9], 'test.user-deleted');
  await receive(0, []);
  expect(dispatched).toEqual(['user-logged-in 0/5', 'user-logged-in 0/6', 'user-deleted 0/9']);
  expect(steps).toEqual(['0 read to 6', '0 read to 9']);
});

test('a partition with a full window is read no further until half of it is handled', async () => {
  const { receive, settle, dispatched, steps } = await start({ window: 4 });
  await receive(0, [0, 1, 2]);
  await receive(0, [3, 4, 5]);
  await receive(1, [0]);
  expect(dispatched).toHaveLength(5);
  expect(steps).toEqual(['0 read to 2', '0 read to 3', '0 paused', '1 read to 0']);
  steps.length = 0;
  await settle('0/3');
  expect(steps).toEqual([]);
  await settle('0/0');
  expect(steps).toEqual(['0 resumed']);
  await settle('0/1');
  expect(steps).toEqual(['0 resumed']);
  await receive(0, [4, 5, 6, 7]);
  expect(steps).toEqual(['0 resumed', '0 read to 6', '0 paused']);
  await receive(0, [7]);
  expect(dispatched).toHaveLength(8);
});

test('what is handled is committed at once, then every 100 ms, for all partitions together', async () => {
  const { clock, receive, settle, committed, committers } = await start();
  await receive(0, [5, 6, 7]);
  await receive(1, [0]);
  await receive(0, [3], 'test.user-deleted');
  await settle('0/6');
  await clock.advance(100);
  expect(committed()).toEqual([]);
  await settle('0/5');
  expect(committed()).toEqual([['test.user-logged-in 0: 7']]);
  await settle('1/0', '0/3');
  await clock.advance(99);
  expect(committed()).toHaveLength(1);
  await clock.advance(1);
  expect(committed().slice(1)).toEqual([['test.user-logged-in 1: 1', 'test.user-deleted 0: 4']]);
  await settle('0/7');
  await clock.advance(10_000);
  expect(committed().slice(2)).toEqual([['test.user-logged-in 0: 8']]);
  await receive(0, [8]);
  await settle('0/8');
  // By the last batch of a partition: it is of the group as it is now.
  expect([committed().at(-1), committers.at(-1)]).toEqual([['test.user-logged-in 0: 9'], 4]);
});

test('offsets that can’t be committed are committed half a second later', async () => {
  const { clock, receive, settle, committed, broker } = await start();
  broker.commit = () => Promise.reject(new Error('the coordinator has moved'));
  await receive(0, [5]);
  await settle('0/5');
  expect(committed()).toEqual([['test.user-logged-in 0: 6']]);
  broker.commit = async () => undefined;
  await clock.advance(499);
  expect(committed()).toHaveLength(1);
  await clock.advance(1);
  expect(committed().slice(1)).toEqual([['test.user-logged-in 0: 6']]);
  await clock.advance(10_000);
  expect(committed()).toHaveLength(2);
});

test('what is in flight at a rebalance is committed once it has been delivered again', async () => {
  const { kafka, group, clock, receive, settle, committed, steps } = await start({ window: 2 });
  expect(group.assigned()).toBeUndefined();
  kafka.join({ 'test.user-logged-in': [0, 1] });
  expect(group.assigned()).toEqual(new Map([['test.user-logged-in', [0, 1]]]));
  await receive(0, [0, 1]);
  await receive(1, [0]);
  expect(steps).toContain('0 paused');
  steps.length = 0;
  kafka.join({ 'test.user-logged-in': [0] });
  expect([group.assigned(), steps]).toEqual([new Map([['test.user-logged-in', [0]]]), ['0 resumed']]);
  await settle('0/0', '0/1', '1/0');
  await clock.advance(1_000);
  expect(committed()).toEqual([]);
  await receive(0, [0]);
  await settle('0/0');
  expect(committed()).toEqual([['test.user-logged-in 0: 1']]);
});

test('a group that stops lets its handlers end, commits what they have done, leaves, and takes no more', async () => {
  const { kafka, group, clock, receive, settle, committed, dispatched, handlers, warnings } = await start();
  await receive(0, [0, 1, 2]);
  await settle('0/0');
  handlers.finish = () => settle('0/1');
  let committedBefore: unknown;
  kafka.leave = async () => {
    committedBefore = committed().at(-1);
  };
  await group.stop();
  await receive(0, [3]);
  expect(committedBefore).toEqual(['test.user-logged-in 0: 2']);
  expect(dispatched).toHaveLength(3);
  await clock.advance(1_000);
  expect(committed()).toHaveLength(2);
  expect(warnings).toEqual([]);
});

test('a group that can’t leave within three seconds of its last handler is left as it is, with a warning', async () => {
  const { kafka, group, handlers, warnings } = await start();
  const finished = Promise.withResolvers<void>();
  handlers.finish = () => finished.promise;
  const left = Promise.withResolvers<void>();
  kafka.leave = () => left.promise;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isStopped = false;
  const stopping = group.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  finished.resolve();
  await vi.advanceTimersByTimeAsync(2_999);
  expect([isStopped, warnings]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(1);
  await stopping;
  expect(warnings).toEqual([
    'kafka group: leaving timed out, partitions are released when the session expires',
  ]);
  left.resolve();
});
