import { describe, expect, it } from 'vitest';
import { counted, FREQUENCY_WORDS, share, TYPE_WORDS, utcDay } from './survey-words.ts';

it('days are those of UTC, whatever the time of day', () => {
  expect(utcDay('2026-03-01T23:59:00.000Z')).toBe('Mar 1, 2026');
  expect(utcDay('2026-03-01T00:00:00.000Z')).toBe('Mar 1, 2026');
  expect(utcDay('never')).toBe('Invalid date');
});

it('counts in English', () => {
  expect([0, 1, 2].map((count) => counted(count, 'response'))).toEqual([
    '0 responses',
    '1 response',
    '2 responses',
  ]);
});

describe('share', () => {
  it.each([
    [1, 3, 33],
    [0, 0, 0],
    [2, 2, 100],
  ])('%d of %d is %d %%', (part, whole, percent) => {
    expect(share(part, whole)).toBe(percent);
  });
});

it('each frequency and each type of question has a name, and none an empty value', () => {
  expect(Object.entries(FREQUENCY_WORDS)).toEqual([
    ['daily', 'By Login Count'],
    ['weekly', 'Weekly'],
    ['monthly', 'Monthly'],
  ]);
  expect(Object.entries(TYPE_WORDS)).toEqual([
    ['text', 'Free Text'],
    ['radio', 'Single Choice'],
    ['checkbox', 'Multiple Choice'],
  ]);
});
