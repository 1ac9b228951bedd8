import { expect, test } from 'vitest';
import { parseRedisUrl } from './redis-url.ts';

const anonymous = { username: undefined, password: undefined };
const unasked = { sentinelUsername: undefined, sentinelPassword: undefined };

test('one server is left to the client as it is', () => {
  for (const url of ['redis://localhost', 'rediss://:secret@redis.example.test:6380/3']) {
    expect(parseRedisUrl(url)).toEqual({ kind: 'server', url });
  }
});

test('sentinels are named with what they call the server', () => {
  expect(parseRedisUrl('redis+sentinel://one:26380,two/mymaster')).toEqual({
    kind: 'sentinel',
    sentinels: [
      { host: 'one', port: 26_380 },
      { host: 'two', port: 26_379 },
    ],
    master: 'mymaster',
    database: 0,
    tls: false,
    ...anonymous,
    ...unasked,
  });
  expect(
    parseRedisUrl(
      'rediss+sentinel://us%3Aer:p%40ss:w%2Ford@[::1]:26379/my%20master/4?sentinelUsername=u&sentinelPassword=p%26q',
    ),
  ).toEqual({
    kind: 'sentinel',
    sentinels: [{ host: '::1', port: 26_379 }],
    master: 'my master',
    database: 4,
    tls: true,
    username: 'us:er',
    password: 'p@ss:w/ord',
    sentinelUsername: 'u',
    sentinelPassword: 'p&q',
  });
});

test('of a cluster some nodes are named', () => {
  expect(parseRedisUrl('rediss+cluster://:secret@one:7000,two')).toEqual({
    kind: 'cluster',
    nodes: [
      { host: 'one', port: 7_000 },
      { host: 'two', port: 6_379 },
    ],
    tls: true,
    username: undefined,
    password: 'secret',
  });
});

test.each([
  ['http://one', 'must begin with redis:// or rediss:// or redis+sentinel://'],
  ['redis://', 'must be a URL'],
  ['redis+sentinel://one:26379', 'must name the master'],
  ['redis+sentinel://one:26379/mymaster/zero', 'must name the master'],
  ['redis+sentinel://one/mymaster?sentinelPasword=s3cret', 'takes no parameter sentinelPasword'],
  ['redis+sentinel://:s3cret@one:port/mymaster', 'must name hosts as host:port'],
  ['redis+cluster://:s3cret@one,,two', 'must name hosts as host:port'],
  ['redis+cluster://:s3cret@one:70000', 'must name hosts as host:port'],
  ['redis+cluster://:s3cret@one/2', 'a cluster has no database'],
  ['redis+cluster://:s3cret%@one', 'percent-encoded'],
])('%s is refused, without repeating a password', (url, message) => {
  expect(() => parseRedisUrl(url)).toThrow(message);
  expect(() => parseRedisUrl(url)).not.toThrow('s3cret');
});
