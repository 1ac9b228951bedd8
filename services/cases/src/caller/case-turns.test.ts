import { expect, test } from 'vitest';
import type { AgencyResult } from '../domain/agency.ts';
import type { FailureKind } from '../domain/agency-failure.ts';
import { secondTryOf } from './case-turns.ts';
import { type Answered, type Attempt, newAttempt } from './waiting-cases.ts';

const TIMEOUT_MS = 10_000;
const failed = (kind: FailureKind): AgencyResult => ({ kind: 'failure', failure: { kind } });
const again = (result: AgencyResult, attempt: Partial<Attempt> = {}, isTokenNew = false) =>
  secondTryOf(result, { ...newAttempt(TIMEOUT_MS), ...attempt }, { timeoutMs: TIMEOUT_MS, isTokenNew });
const FIRST = {} as Answered;

test.each<[FailureKind, 'everyone' | 'people' | undefined]>([
  ['unreachable', 'everyone'],
  ['unavailable', 'everyone'],
  ['maintenance', 'everyone'],
  ['unreadable', 'everyone'],
  ['rate-limited', 'people'],
  ['quota-spent', undefined],
  ['refused', undefined],
  ['timeout', undefined],
  ['unexpected', undefined],
  ['credentials', undefined],
  ['resting', undefined],
])('after %s a second try is for %s', (kind, whom) => {
  expect(again(failed(kind))?.for).toBe(whom);
  expect(again(failed(kind), { first: FIRST })).toBeUndefined();
});

test('what the agency has answered stands', () => {
  expect(again({ kind: 'not-recognized' })).toBeUndefined();
  expect(again({ kind: 'case', case: {} as never })).toBeUndefined();
});

test('a second try is put off for 50 to 250 ms, but not by a pause, which puts it off itself', () => {
  const delays = Array.from({ length: 500 }, () => again(failed('unavailable'))?.afterMs ?? 0);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(50);
  expect(Math.max(...delays)).toBeLessThanOrEqual(250);
  expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(100);
  expect(again(failed('rate-limited'))?.afterMs).toBe(0);
});

test('a second try needs a fifth of the time to be left', () => {
  expect(again(failed('unavailable'), { leftMs: 2_000 })).toBeDefined();
  expect(again(failed('unavailable'), { leftMs: 1_999 })).toBeUndefined();
  expect(again(failed('credentials'), { leftMs: 1_999 }, true)).toBeUndefined();
});

test('one refusal of a token is answered with a new one, also at a second try; a second refusal is believed', () => {
  const atOnce = { for: 'everyone', afterMs: 0 };
  expect(again(failed('credentials'), {}, true)).toEqual(atOnce);
  expect(again(failed('credentials'), { first: FIRST }, true)).toEqual(atOnce);
  expect(again(failed('credentials'), { first: FIRST, isTokenRefused: true }, true)).toBeUndefined();
});
