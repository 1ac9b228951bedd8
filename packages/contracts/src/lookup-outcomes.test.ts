import { expect, test } from 'vitest';
import { causeOf, LOOKUP_OUTCOMES } from './lookup-outcomes.ts';

test('a lookup without a current status has its cause, and one that its caller canceled has none', () => {
  expect(Object.fromEntries(LOOKUP_OUTCOMES.map((outcome) => [outcome, causeOf(outcome)]))).toEqual({
    answered: null,
    stored: null,
    shared: null,
    'not-recognized': 'user',
    refused: 'user',
    quota: 'us',
    'circuit-open': 'agency',
    fault: 'agency',
    canceled: null,
    error: 'us',
  });
});
