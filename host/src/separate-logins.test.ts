import { parseRedisUrl } from '@casewatch/shared-state/redis/redis-url';
import { expect, test } from 'vitest';
import { putLoginsIntoUrls } from './separate-logins.ts';

const HARD = "p#%@:/? é'";

function put(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  putLoginsIntoUrls(env);
  return env;
}

test.each([
  'postgres://casewatch_cases@db.example.com:5432/casewatch?sslmode=verify-full',
  'postgres://casewatch_cases:older@db.example.com:5432/casewatch?sslmode=verify-full',
])('a password of any characters goes into %s, however often', (url) => {
  const env = put(put({ DATABASE_URL: url, DATABASE_DIRECT_URL: url, DATABASE_PASSWORD: HARD }));
  for (const made of [env.DATABASE_URL, env.DATABASE_DIRECT_URL]) {
    const { username, password, host, search } = new URL(made ?? '');
    expect(decodeURIComponent(password)).toBe(HARD);
    expect([username, host, search]).toEqual([
      'casewatch_cases',
      'db.example.com:5432',
      '?sslmode=verify-full',
    ]);
  }
});

test('each service of one process has its own, and the mail server as well', () => {
  const env = put({
    CASES_DATABASE_URL: 'postgres://db/casewatch',
    CASES_DATABASE_USERNAME: 'casewatch_cases_alternate',
    CASES_DATABASE_PASSWORD: 'a',
    IDENTITY_DATABASE_URL: 'postgres://casewatch_identity:b@db/casewatch',
    SMTP_URL: 'smtps://mail.example.com:465',
    SMTP_USERNAME: 'me@example.com',
    SMTP_PASSWORD: HARD,
  });
  expect(env.CASES_DATABASE_URL).toBe('postgres://casewatch_cases_alternate:a@db/casewatch');
  expect(env.IDENTITY_DATABASE_URL).toBe('postgres://casewatch_identity:b@db/casewatch');
  const { username, password } = new URL(env.SMTP_URL ?? '');
  expect([username, password].map(decodeURIComponent)).toEqual(['me@example.com', HARD]);
});

test.each(['rediss+sentinel://one:26379,two:26379/mymaster/0', 'rediss+cluster://one:6379,two:6379'])(
  'a Redis of several servers gets it too: %s',
  (url) => {
    const env = put({ REDIS_URL: url, REDIS_USERNAME: 'default', REDIS_PASSWORD: HARD });
    expect(parseRedisUrl(env.REDIS_URL ?? '')).toMatchObject({
      username: 'default',
      password: HARD,
      tls: true,
    });
  },
);

test('without either, and in other URLs, nothing changes', () => {
  const env = {
    REDIS_URL: 'redis://redis:6379',
    CASES_URL: 'http://cases:8080',
    CASES_PASSWORD: 'x',
    REDIS_PASSWORD: '',
  };
  expect(put({ ...env })).toEqual(env);
});
