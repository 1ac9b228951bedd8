import { expect, test } from 'vitest';
import { uuidV7, uuidV7Floor } from './uuid-v7.ts';

const TIME_MS = Date.parse('2022-02-22T19:22:22Z');

test('an id begins with its time and names version and variant (RFC 9562, appendix A.6)', () => {
  expect(uuidV7(TIME_MS)).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the floor of a time parts what was made before it from what was made later', () => {
  const floor = uuidV7Floor(TIME_MS);
  expect(uuidV7(TIME_MS - 1) < floor).toBe(true);
  expect(uuidV7(TIME_MS) >= floor).toBe(true);
});

test('ids of one millisecond all differ, also beyond the random digits that are drawn at once', () => {
  const ids = Array.from({ length: 1_000 }, () => uuidV7(TIME_MS));
  expect(new Set(ids).size).toBe(1_000);
  expect(new Set(ids.map((id) => id[19]))).toEqual(new Set(['8', '9', 'a', 'b']));
  for (const id of ids) expect(id).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
