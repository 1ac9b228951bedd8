import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createUnsubscribeTokens } from './unsubscribe-token.ts';

const USER = '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11';
const OTHER = '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a12';
const tokens = createUnsubscribeTokens(['the newer secret', 'the older secret']);

/** As e-mails had it before there were kinds. */
const withoutKind = (userId: string, secret: string) =>
  `${userId}.${createHmac('sha256', secret).update(`casewatch stop e-mail v1\n${userId}`).digest('base64url')}`;

test('a token names its user and its kind', () => {
  for (const kind of ['status', 'needsAction', 'digest'] as const) {
    expect(tokens.read(tokens.issue(USER, kind))).toEqual({ userId: USER, kind });
  }
});

test('a token of an e-mail from before there were kinds stops all of them', () => {
  expect(tokens.read(withoutKind(USER, 'the older secret'))).toEqual({ userId: USER, kind: 'all' });
});

test('while a secret is replaced, tokens of both are believed', () => {
  const older = createUnsubscribeTokens(['the older secret']);
  expect(tokens.read(older.issue(USER, 'status'))).toMatchObject({ userId: USER });
  expect(older.read(tokens.issue(USER, 'status'))).toBeUndefined();
});

test.each([
  ['of another user', tokens.issue(USER, 'status').replace(USER, OTHER)],
  ['of another kind', tokens.issue(USER, 'status').replace('.status.', '.digest.')],
  ['of a kind that is none', tokens.issue(USER, 'status').replace('.status.', '.all.')],
  ['whose kind was taken out', tokens.issue(USER, 'status').replace('.status.', '.')],
  ['that was given a kind', withoutKind(USER, 'the newer secret').replace('.', '.status.')],
  ['of another secret', createUnsubscribeTokens(['another secret']).issue(USER, 'status')],
  ['cut short', tokens.issue(USER, 'status').slice(0, -1)],
  ['with more behind', `${tokens.issue(USER, 'status')}.x`],
  ['without a signature', `${USER}.`],
  ['of a user alone', USER],
  ['of nothing', ''],
  ['of another form', 'x'.repeat(200)],
])('a token %s is none', (_, token) => {
  expect(tokens.read(token)).toBeUndefined();
});

test('it can stand in a URL as it is', () => {
  expect(tokens.issue(USER, 'needsAction')).toMatch(/^[\w.-]{60,120}$/);
});
