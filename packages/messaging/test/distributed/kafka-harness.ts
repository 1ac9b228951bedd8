import { randomBytes } from 'node:crypto';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { pino } from 'pino';
import { type KafkaBus, type KafkaBusOptions, startKafkaBus } from '../../src/kafka/kafka-bus.ts';
import { createKafkaClient, type KafkaConnection } from '../../src/kafka/kafka-client.ts';
import type { BusHarness, Member, MemberOptions } from '../bus-harness.ts';
import { createEventsDatabase, type EventsDatabase, RELAYED } from '../events-database.ts';

/** What a Kafka harness can do beside the contract. */
export interface KafkaHarness extends BusHarness {
  readonly database: EventsDatabase;
  readonly brokers: readonly string[];
  /** Of all topics and groups of this harness. */
  readonly topicPrefix: string;
  /** `onFatal` unset: `stop` of the member throws what was fatal. */
  startMember(
    options: MemberOptions &
      Partial<Pick<KafkaBusOptions, 'logger' | 'ssl' | 'sasl' | 'refusedPatienceMs' | 'onFatal'>>,
  ): Promise<KafkaMember>;
}
export interface KafkaMember extends Member {
  bus(): KafkaBus;
}

const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });

/** The Kafka adapter on a real broker and PostgreSQL, with topics and groups of its own. */
export async function createKafkaHarness(
  given?: readonly string[],
  /** Of a broker that asks for it. */
  signedIn: Pick<KafkaConnection, 'ssl' | 'sasl'> = {},
): Promise<KafkaHarness> {
  const brokers = given ?? (await testKafkaBrokers());
  const connection = { brokers, clientId: 'casewatch-test', ...signedIn };
  const database = await createEventsDatabase();
  const topicPrefix = `test-${randomBytes(6).toString('hex')}.`;
  const running = new Set<{ restart(work: () => Promise<void>): Promise<void> }>();

  const startMember: KafkaHarness['startMember'] = async ({ clock = systemClock, ...options }) => {
    const fatal: Error[] = [];
    const start = () =>
      startKafkaBus({
        ...connection,
        topicPrefix,
        partitions: 3,
        sessionTimeoutMs: 3_000,
        onFatal: (error) => fatal.push(error),
        logger,
        clock,
        sources: RELAYED.map((service) => ({ service, databaseUrl: database.urlFor(service) })),
        databaseUrlFor: database.urlFor,
        ...options,
      });
    let bus = await start();
    const handle = {
      restart: async (meanwhile: () => Promise<void>) => {
        await bus.stop();
        await meanwhile();
        bus = await start();
      },
    };
    running.add(handle);
    return {
      bus: () => bus,
      idle: () => bus.idle(),
      stop: async () => {
        running.delete(handle);
        await bus.stop();
        if (fatal[0]) throw fatal[0];
      },
    };
  };

  /** What a group has committed is forgotten: it begins again at offset 0. No member may be there meanwhile. */
  async function replay(): Promise<void> {
    const members = [...running];
    const rewindLast = members.reduceRight<() => Promise<void>>(
      (inner, member) => () => member.restart(inner),
      rewind,
    );
    await rewindLast();
  }
  async function rewind(): Promise<void> {
    const admin = createKafkaClient(connection, logger).admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    const ours = groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(topicPrefix));
    await admin.deleteGroups(ours);
    await admin.disconnect();
  }

  async function close(): Promise<void> {
    const admin = createKafkaClient(connection, logger).admin();
    await admin.connect();
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(topicPrefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
    await admin.disconnect();
    await database.drop();
  }
  return { database, brokers, topicPrefix, startMember, replay, close };
}
