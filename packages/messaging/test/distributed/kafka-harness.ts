import { randomBytes } from 'node:crypto';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { pino } from 'pino';
import type { EventHandler } from '../../src/event-bus.ts';
import { createKafkaAdmin } from '../../src/kafka/kafka-admin.ts';
import { type KafkaBus, type KafkaBusOptions, startKafkaBus } from '../../src/kafka/kafka-bus.ts';
import { createKafkaClient, type KafkaConnection } from '../../src/kafka/kafka-client.ts';
import { readLag } from '../../src/kafka/kafka-lag.ts';
import { createTopicKeeper } from '../../src/kafka/topic-keeper.ts';
import type { BusHarness, Member, MemberOptions } from '../bus-harness.ts';
import { createEventsDatabase, type EventsDatabase, RELAYED } from '../events-database.ts';

/** What a Kafka harness can do beyond the contract. */
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

const PARTITIONS = 3;
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

  const admin = createKafkaAdmin(createKafkaClient(connection, logger));
  const topics = createTopicKeeper({
    admin,
    clock: systemClock,
    logger,
    partitions: PARTITIONS,
    replicationFactor: -1,
    retentionMs: 3_600_000,
  });

  /** Returns where every partition of these groups ends, once all of it is handled; undefined while messages are pending. */
  async function settledEnds(handlers: readonly EventHandler[]): Promise<string | undefined> {
    const groups = [...Map.groupBy(handlers, ({ group }) => group)].map(([group, its]) => ({
      groupId: `${topicPrefix}${group}`,
      topics: its.map(({ event }) => `${topicPrefix}${event.name}`),
    }));
    await topics.ensure(groups.flatMap((group) => group.topics));
    const lags = await readLag(admin, groups);
    if (lags.some(({ next, end }) => next < end)) return undefined;
    return lags.map(({ groupId, topic, partition, end }) => `${groupId} ${topic} ${partition} ${end}`).join();
  }
  /** Resolves when nothing is pending for these groups, whichever members they have. Waits for an unavailable broker. */
  async function untilIdle(bus: KafkaBus, handlers: readonly EventHandler[]): Promise<void> {
    for (;;) {
      const before = await settledEnds(handlers).catch(() => undefined);
      // An event sent in between shows as another end; one not yet sent, in its outbox.
      const isIdle = before !== undefined && !(await bus.busy());
      if (isIdle && before === (await settledEnds(handlers).catch(() => undefined))) return;
      bus.poke();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  const startMember: KafkaHarness['startMember'] = async ({ clock = systemClock, ...options }) => {
    const fatal: Error[] = [];
    const start = () =>
      startKafkaBus({
        ...connection,
        topicPrefix,
        partitions: PARTITIONS,
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
      restart: async (beforeCommit: () => Promise<void>) => {
        await bus.stop();
        await beforeCommit();
        bus = await start();
      },
    };
    running.add(handle);
    return {
      bus: () => bus,
      idle: () => untilIdle(bus, options.handlers),
      stop: async () => {
        running.delete(handle);
        await bus.stop();
        if (fatal[0]) throw fatal[0];
      },
    };
  };

  /** What a group has committed is forgotten: it begins again at offset 0. No member may be there beforeCommit. */
  async function replay(): Promise<void> {
    const members = [...running];
    const rewindLast = members.reduceRight<() => Promise<void>>(
      (inner, member) => () => member.restart(inner),
      rewind,
    );
    await rewindLast();
  }
  async function rewind(): Promise<void> {
    const { groups } = await admin.use((on) => on.listGroups());
    const ours = groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(topicPrefix));
    await admin.use((on) => on.deleteGroups(ours));
  }

  async function close(): Promise<void> {
    const made = (await admin.use((on) => on.listTopics())).filter((topic) => topic.startsWith(topicPrefix));
    if (made.length > 0) await admin.use((on) => on.deleteTopics({ topics: made }));
    await admin.disconnect();
    await database.drop();
  }
  return { database, brokers, topicPrefix, startMember, replay, close };
}
