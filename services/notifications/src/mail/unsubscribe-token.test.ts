import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createUnsubscribeTokens } from './unsubscribe-token.ts';

const USER = '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11';
const OTHER = '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a12';
const ADA = { userId: USER, email: 'ada@example.org' };
const tokens = createUnsubscribeTokens(['the newer secret', 'the older secret']);

/** Signed for the user alone. */
const withoutKind = (userId: string, secret: string) =>
  `${userId}.${createHmac('sha256', secret).update(`casewatch stop e-mail v1\n${userId}`).digest('base64url')}`;

test('a token names its user and its kind', () => {
  for (const kind of ['status', 'needsAction', 'digest'] as const) {
    expect(tokens.read(tokens.issue(ADA, kind))).toMatchObject({ userId: USER, kind });
  }
});

test('a token is for the address that it was sent to, in any case', () => {
  for (const secrets of [['the newer secret', 'the older secret'], ['the older secret']] as const) {
    const read = tokens.read(createUnsubscribeTokens([...secrets]).issue(ADA, 'status'));
    expect(read?.isFor('Ada@Example.org')).toBe(true);
    expect(read?.isFor('ada@example.com')).toBe(false);
  }
});

test('while a secret is replaced, tokens of both are believed', () => {
  const older = createUnsubscribeTokens(['the older secret']);
  expect(tokens.read(older.issue(ADA, 'status'))).toMatchObject({ userId: USER });
  expect(older.read(tokens.issue(ADA, 'status'))).toBeUndefined();
});

test.each([
  ['of another user', tokens.issue(ADA, 'status').replace(USER, OTHER)],
  ['of another kind', tokens.issue(ADA, 'status').replace('.status.', '.digest.')],
  ['of a kind that is none', tokens.issue(ADA, 'status').replace('.status.', '.all.')],
  ['whose kind was taken out', tokens.issue(ADA, 'status').replace('.status.', '.')],
  ['that was given a kind', withoutKind(USER, 'the newer secret').replace('.', '.status.')],
  ['of another secret', createUnsubscribeTokens(['another secret']).issue(ADA, 'status')],
  ['of another address', tokens.issue(ADA, 'status').replace(/\.[^.]*(?=\.[^.]*$)/, '.AAAAAAAAAAAA')],
  ['without an address', tokens.issue(ADA, 'status').replace(/\.[^.]*(?=\.[^.]*$)/, '')],
  ['cut short', tokens.issue(ADA, 'status').slice(0, -1)],
  ['with more behind', `${tokens.issue(ADA, 'status')}.x`],
  ['without a signature', `${USER}.`],
  ['of a user alone', USER],
  ['of nothing', ''],
  ['of another form', 'x'.repeat(200)],
])('a token %s is none', (_, token) => {
  expect(tokens.read(token)).toBeUndefined();
});

test('it can stand in a URL as it is', () => {
  expect(tokens.issue(ADA, 'needsAction')).toMatch(/^[\w.-]{60,120}$/);
});
