import { randomBytes } from 'node:crypto';
import { startOwnTestRedis } from '@casewatch/dev-stack/redis/redis';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modulesOf, ofService, packagesOf } from '../loading/modules-of.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a service reads itself alone, and of the heavy packages those that it uses', async () => {
  const brokers = await testKafkaBrokers();
  const read = await modulesOf('surveys', {
    DATABASE_URL: database.urlFor('surveys'),
    KAFKA_BROKERS: brokers.join(),
    KAFKA_TOPIC_PREFIX: `${randomBytes(6).toString('hex')}.`,
  });
  const services = new Set(read.flatMap((module) => ofService(module)?.[1] ?? []));
  expect([...services]).toEqual(['surveys']);
  expect(packagesOf(read)).toEqual(['@prisma', 'kafkajs', 'pg']);
  expect(read.filter((module) => /\/(gateway|simulators)\//.test(module))).toEqual([]);
}, 90_000);

test('event streams read neither brokers nor mail nor another service', async () => {
  const redis = await startOwnTestRedis();
  try {
    const read = await modulesOf('streams', {
      DATABASE_URL: database.urlFor('notifications'),
      REDIS_URL: redis.url,
    });
    const services = new Set(read.flatMap((module) => ofService(module)?.[1] ?? []));
    expect([...services]).toEqual(['notifications']);
    expect(packagesOf(read)).toEqual(['ioredis', 'pg', 'undici']);
    expect(
      read.filter((module) => /node_modules\/(nodemailer|web-push)\/|\/simulators\//.test(module)),
    ).toEqual([]);
  } finally {
    await redis.stop();
  }
}, 90_000);
