import { expect, test } from 'vitest';
import { createOutboxHints } from './outbox-hints.ts';

test('a hint reaches every listener of its service until it stops listening', () => {
  const hints = createOutboxHints();
  const heard: string[] = [];
  const stops = ['one', 'other'].map((name) => hints.listen('cases', () => heard.push(name)));
  hints.listen('billing', () => heard.push('of billing'));
  hints.publishing('cases');
  expect(heard).toEqual(['one', 'other']);
  stops[0]?.();
  hints.publishing('cases');
  hints.publishing('surveys');
  expect(heard).toEqual(['one', 'other', 'other']);
});
