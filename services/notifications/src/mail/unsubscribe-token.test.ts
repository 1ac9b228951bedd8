import { expect, test } from 'vitest';
import { createUnsubscribeTokens } from './unsubscribe-token.ts';

const USER = '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11';
const OTHER = '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a12';
const tokens = createUnsubscribeTokens(['the newer secret', 'the older secret']);

test('a token names its user', () => {
  expect(tokens.read(tokens.issue(USER))).toBe(USER);
});

test('while a secret is replaced, tokens of both are believed', () => {
  const older = createUnsubscribeTokens(['the older secret']);
  expect(tokens.read(older.issue(USER))).toBe(USER);
  expect(older.read(tokens.issue(USER))).toBeUndefined();
});

test.each([
  ['of another user', tokens.issue(USER).replace(USER, OTHER)],
  ['of another secret', createUnsubscribeTokens(['another secret']).issue(USER)],
  ['cut short', tokens.issue(USER).slice(0, -1)],
  ['with more behind', `${tokens.issue(USER)}.x`],
  ['without a signature', `${USER}.`],
  ['of a user alone', USER],
  ['of nothing', ''],
  ['of another form', 'x'.repeat(200)],
])('a token %s is none', (_, token) => {
  expect(tokens.read(token)).toBeUndefined();
});

test('it can stand in a URL as it is', () => {
  expect(tokens.issue(USER)).toMatch(/^[\w.-]{60,120}$/);
});
