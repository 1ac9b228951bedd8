import { expect, test } from 'vitest';
import type { OutboxRow } from './outbox-rows.ts';
import { createRelayLane, DISPATCHED_PER_KEY } from './relay-lane.ts';

const row = (seq: number, key = 'a'): OutboxRow => ({
  seq: String(seq),
  id: `id-${seq}`,
  topic: 'topic',
  key,
  payload: {},
  headers: {},
});
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));
const laneOf = (window = 100) => createRelayLane('topic', 'consumer', window);

test('a lane has room again once half of its window is free', () => {
  const lane = laneOf(4);
  expect(lane.room()).toBe(4);
  for (const seq of [1, 2]) lane.add(row(seq));
  expect(lane.room()).toBe(2);
  for (const seq of [3, 4]) lane.add(row(seq));
  expect([lane.room(), lane.query().except]).toEqual([0, ['1', '2', '3', '4']]);
  lane.remove(row(2));
  expect(lane.room()).toBe(0);
  lane.remove(row(1));
  expect([lane.room(), lane.query().except]).toEqual([2, ['3', '4']]);
});

test('a lane loads again at once when the last load filled its room or it had none, as soon as there is room', () => {
  const lane = laneOf(2);
  expect(lane.canLoad()).toBe(false);
  lane.loaded(1, 2);
  expect(lane.canLoad()).toBe(false);
  for (const seq of [1, 2]) lane.add(row(seq));
  lane.loaded(2, 2);
  expect(lane.canLoad()).toBe(false);
  lane.remove(row(1));
  expect(lane.canLoad()).toBe(true);
  lane.loaded(0, 1);
  expect(lane.canLoad()).toBe(false);
  lane.loaded(0, 0);
  expect(lane.canLoad()).toBe(true);
});

test('a key is crowded from ten events on until half of them have left', () => {
  const lane = laneOf();
  expect(rows(DISPATCHED_PER_KEY).map((each) => lane.add(each))).not.toContain(false);
  expect([lane.add(row(100, 'b')), lane.add(row(101))]).toEqual([true, false]);
  expect(lane.query().exceptKeys).toEqual(['a']);
  const canLoad = rows(DISPATCHED_PER_KEY).map((each) => {
    lane.remove(each);
    return lane.canLoad();
  });
  expect(canLoad).toEqual([false, false, false, false, true, true, true, true, true, true]);
  expect([lane.query().exceptKeys, lane.query().except]).toEqual([[], ['100']]);
});

test('a key whose events have all left is counted from zero again', () => {
  const lane = laneOf();
  lane.add(row(0));
  lane.remove(row(0));
  for (const each of rows(DISPATCHED_PER_KEY - 1)) lane.add(each);
  expect(lane.query().exceptKeys).toEqual([]);
});

test('an event that is not in flight leaves nothing', () => {
  const lane = laneOf();
  for (const each of rows(DISPATCHED_PER_KEY)) lane.add(each);
  for (let seq = 20; seq < 30; seq++) lane.remove(row(seq));
  expect([lane.query().except.length, lane.query().exceptKeys]).toEqual([DISPATCHED_PER_KEY, ['a']]);
});

test('settled events are taken once', () => {
  const lane = laneOf();
  lane.settle(row(1));
  lane.settle(row(2));
  expect(lane.takeSettled().map(({ seq }) => seq)).toEqual(['1', '2']);
  expect(lane.takeSettled()).toEqual([]);
});
