import { randomBytes } from 'node:crypto';
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
