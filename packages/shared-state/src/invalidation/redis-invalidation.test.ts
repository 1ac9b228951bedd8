import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { listenTo } from '../../test/invalidation-contract.ts';
import { createRedisInvalidation, type RedisInvalidation } from './redis-invalidation.ts';

let invalidation: RedisInvalidation | undefined;
afterEach(() => invalidation?.stop());

test('a message of another kind, as of another release, is a gap: any session may be stale', () => {
  const subscriber = new Redis({ lazyConnect: true });
  const logger = pino({ level: 'silent' });
  invalidation = createRedisInvalidation({
    redis: new Redis({ lazyConnect: true }),
    subscriber,
    prefix: 'test:',
    logger,
  });
  const { received, gaps } = listenTo(invalidation);
  for (const message of [
    '{"userId":"u","since":1}',
    '{"userId":7}',
    'no JSON',
    '"a text"',
    '{"sessionKey":"s"}',
  ])
    subscriber.emit('message', 'test:stale-sessions', message);
  expect(received).toEqual([{ userId: 'u' }, { sessionKey: 's' }]);
  expect(gaps()).toBe(3);
});
