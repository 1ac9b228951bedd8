import { expect, test } from 'vitest';
import type { OutboxRow } from './outbox-rows.ts';
import { createRelayWindow, LOADED_PER_KEY } from './relay-window.ts';

const row = (seq: number, key = 'a', shard = 3): OutboxRow => ({
  seq: String(seq),
  shard,
  id: `id-${seq}`,
  topic: 'topic',
  key,
  payload: {},
  headers: {},
});
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));

test('it counts what is in flight, in all and of each shard', () => {
  const window = createRelayWindow();
  for (const each of [row(1), row(2, 'b', 5), row(3, 'c', 5)]) window.add(each);
  expect([window.size(), window.inShard(3), window.inShard(5), window.inShard(0)]).toEqual([3, 1, 2, 0]);
  expect(window.seqs()).toEqual(['1', '2', '3']);
  window.remove(row(2, 'b', 5));
  expect([window.size(), window.inShard(5)]).toEqual([2, 1]);
  expect(window.seqs()).toEqual(['1', '3']);
});

test('a key is crowded from ten events on until half of them have left', () => {
  const window = createRelayWindow();
  for (const each of rows(LOADED_PER_KEY - 1)) window.add(each);
  expect(window.crowdedKeys()).toEqual([]);
  window.add(row(9));
  window.add(row(100, 'b'));
  expect(window.crowdedKeys()).toEqual(['topic a']);
  const room = rows(LOADED_PER_KEY).map((each) => window.remove(each));
  expect(room).toEqual([false, false, false, false, true, false, false, false, false, false]);
  expect(window.crowdedKeys()).toEqual([]);
});

test('a key whose events have all left is counted from zero again', () => {
  const window = createRelayWindow();
  window.add(row(0));
  window.remove(row(0));
  for (const each of rows(LOADED_PER_KEY - 1)) window.add(each);
  expect(window.crowdedKeys()).toEqual([]);
});

test('an event that is not in flight leaves nothing', () => {
  const window = createRelayWindow();
  for (const each of rows(LOADED_PER_KEY)) window.add(each);
  for (let seq = 20; seq < 30; seq++) expect(window.remove(row(seq))).toBe(false);
  expect([window.size(), window.inShard(3)]).toEqual([LOADED_PER_KEY, LOADED_PER_KEY]);
  expect(window.crowdedKeys()).toEqual(['topic a']);
});
