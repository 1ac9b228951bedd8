import { expect, test } from 'vitest';
import { growthOf } from './steadiness.ts';

const SAMPLES = 60;
const samples = (rssMb: (nth: number) => number) =>
  Array.from({ length: SAMPLES }, (_, nth) => ({
    atSeconds: nth,
    rssMb: rssMb(nth),
    handles: 100,
    connections: 40,
  }));
const memory = (rssMb: (nth: number) => number) => growthOf(samples(rssMb))[0];

test('what fills while caches warm up does not count as growth', () => {
  expect(memory((nth) => Math.min(300, 100 + nth * 20))).toEqual({
    ...{ held: 'rssMb', from: 300, to: 300, isFlat: true },
  });
});

test('memory that grows all the time is not flat', () => {
  expect(memory((nth) => 200 + nth * 2)).toMatchObject({ isFlat: false });
});

test('one high sample at the end is not growth', () => {
  expect(memory((nth) => (nth === SAMPLES - 1 ? 900 : 200))).toMatchObject({ isFlat: true });
});

test('a run too short to say is refused', () => {
  expect(() => growthOf(samples(() => 1).slice(0, 5))).toThrow('too few samples');
});
