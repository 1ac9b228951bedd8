import { expect, test } from 'vitest';
import { uuidV7, uuidV7Floor, uuidV7Time } from './uuid-v7.ts';

const TIME_MS = Date.parse('2022-02-22T19:22:22Z');

test('an id begins with its time and names version and variant (RFC 9562, appendix A.6)', () => {
  expect(uuidV7(TIME_MS)).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the floor of a time parts what was made before it from what was made later', () => {
  const floor = uuidV7Floor(TIME_MS);
  expect(uuidV7(TIME_MS - 1) < floor).toBe(true);
  expect(uuidV7(TIME_MS) >= floor).toBe(true);
});

test('an id says when it was made', () => {
  const madeAt = Date.UTC(2026, 10, 23, 12, 30, 15, 678);
  expect(uuidV7Time(uuidV7(madeAt))).toBe(madeAt);
});
