import { expect, test } from 'vitest';
import { checksOf, isOpen, newAttempt } from './provider-attempt.ts';

const KEY = 'the client secret';
const answering = (state: string) => new URLSearchParams({ state });

test('an attempt is open for ten minutes to the answer that has its state', () => {
  const attempt = newAttempt(1_000);
  const checks = checksOf(attempt, KEY);
  const openAfter = (ms: number, state = checks.state) =>
    isOpen(attempt, checks, answering(state), 1_000 + ms);
  expect([openAfter(0), openAfter(600_000), openAfter(600_001)]).toEqual([true, true, false]);
  expect(openAfter(0, checks.nonce)).toBe(false);
  expect(isOpen(attempt, checks, new URLSearchParams(), 1_000)).toBe(false);
});

test('state, nonce and verifier are values of their own, of the attempt and of the key', () => {
  const [one, other] = [newAttempt(1_000), newAttempt(1_000)];
  const values = [checksOf(one, KEY), checksOf(other, KEY), checksOf(one, 'another key')].flatMap((checks) =>
    Object.values(checks),
  );
  expect(new Set(values).size).toBe(9);
  expect(checksOf(one, KEY)).toEqual(checksOf(one, KEY));
});
