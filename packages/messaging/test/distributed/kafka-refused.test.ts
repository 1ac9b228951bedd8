import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import type { OwnTestKafka } from '@casewatch/dev-stack/kafka/kafka-server';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  Kafka,
  logLevel,
  ResourcePatternTypes,
} from 'kafkajs';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startKafkaBus } from '../../src/kafka/kafka-bus.ts';
import type { KafkaConnection } from '../../src/kafka/kafka-client.ts';
import { recorder } from '../bus-scenarios.ts';
import { createKafkaHarness, type KafkaHarness } from './kafka-harness.ts';

/** Brokers that ask who comes, and know what each may do. */

const account = { username: 'casewatch', password: 'let-me-in' };
const known = { mechanism: 'plain', ...account } as const;

let kafka: OwnTestKafka;
let harness: KafkaHarness;
let stop: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  kafka = await startOwnTestKafka({
    account,
    settings: {
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      'allow.everyone.if.no.acl.found': 'true',
    },
  });
}, 180_000);
afterAll(() => kafka.stop());
beforeEach(async () => {
  harness = await createKafkaHarness(kafka.brokers, { sasl: known });
});
afterEach(async () => {
  await stop();
  await harness.close();
});

/** A bus whose consumer fails permanently when it is refused for longer. */
async function startBus(sasl: NonNullable<KafkaConnection['sasl']>, refusedPatienceMs: number) {
  const fatal = Promise.withResolvers<Error>();
  const log: string[] = [];
  const bus = await startKafkaBus({
    brokers: kafka.brokers,
    clientId: 'casewatch-test',
    topicPrefix: harness.topicPrefix,
    sasl,
    refusedPatienceMs,
    onFatal: fatal.resolve,
    logger: pino({ level: 'warn' }, { write: (line) => log.push(line) }),
    clock: systemClock,
    sources: [],
    handlers: [recorder('notifications')],
    databaseUrlFor: harness.database.urlFor,
  });
  stop = bus.stop;
  return { bus, fatal: fatal.promise, log };
}

async function administer(work: (admin: ReturnType<Kafka['admin']>) => Promise<unknown>): Promise<void> {
  const admin = new Kafka({ brokers: [...kafka.brokers], sasl: known, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await work(admin);
  await admin.disconnect();
}
const denial = () => ({
  resourceType: AclResourceTypes.GROUP,
  resourceName: harness.topicPrefix,
  resourcePatternType: ResourcePatternTypes.PREFIXED,
  principal: `User:${account.username}`,
  host: '*',
  operation: AclOperationTypes.READ,
  permissionType: AclPermissionTypes.DENY,
});
const deny = () => administer((admin) => admin.createAcls({ acl: [denial()] }));
const allow = () => administer((admin) => admin.deleteAcls({ filters: [denial()] }));

test('a password that the brokers do not know is reported as that, and the process exits', async () => {
  const { bus, fatal } = await startBus({ ...known, password: 'wrong' }, 1_000);
  expect((await fatal).message).toContain(
    'correct KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD',
  );
  expect(() => bus.requireJoined()).toThrow();
});

test('a missing right is reported as that, and the process exits', async () => {
  await deny();
  const { fatal } = await startBus(known, 1_000);
  expect((await fatal).message).toContain('Read and Describe for the groups');
  await allow();
});

test('a right that is granted in time is used: rights may come after the product', async () => {
  await deny();
  const { bus, fatal, log } = await startBus(known, 60_000);
  await vi.waitFor(() => expect(log.join()).toMatch(/not authorized/i), { timeout: 30_000 });
  expect(() => bus.requireJoined()).toThrow();
  await allow();
  await vi.waitFor(() => bus.requireJoined(), { timeout: 30_000 });
  expect(await Promise.race([fatal, 'alive'])).toBe('alive');
}, 60_000);
