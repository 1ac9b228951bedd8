import { randomBytes } from 'node:crypto';
import { createKafkaClient } from '@casewatch/messaging/kafka/kafka-client';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { pino } from 'pino';
import { describeBusContract } from '../../packages/messaging/test/bus-contract.ts';
import type { BusHarness, MemberOptions } from '../../packages/messaging/test/bus-harness.ts';
import { createEventsDatabase, RELAYED } from '../../packages/messaging/test/events-database.ts';
import { startPlatformaticBus } from '../src/peers/platformatic/bus.ts';

const logger = pino({ level: 'silent' });

describeBusContract('@platformatic/kafka', createHarness);

/** The adapter on a real broker and PostgreSQL, with topics and groups of its own. */
async function createHarness(): Promise<BusHarness> {
  const brokers = await testKafkaBrokers();
  const database = await createEventsDatabase();
  const topicPrefix = `bench-${randomBytes(6).toString('hex')}.`;
  const running = new Set<{ restart(meanwhile: () => Promise<void>): Promise<void> }>();

  async function startMember({ clock = systemClock, ...options }: MemberOptions) {
    const start = () =>
      startPlatformaticBus({
        brokers,
        topicPrefix,
        partitions: 3,
        sessionTimeoutMs: 6_000,
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
      idle: () => bus.idle(),
      stop: async () => {
        running.delete(handle);
        await bus.stop();
      },
    };
  }

  async function withAdmin(work: (admin: ReturnType<typeof adminOf>) => Promise<unknown>): Promise<void> {
    const admin = adminOf();
    await admin.connect();
    await work(admin);
    await admin.disconnect();
  }
  const adminOf = () => createKafkaClient({ brokers, clientId: 'casewatch-bench' }, logger).admin();

  /** What a group has committed is forgotten: it begins again at offset 0. No member may be there meanwhile. */
  const rewind = () =>
    withAdmin(async (admin) => {
      const { groups } = await admin.listGroups();
      const ours = groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(topicPrefix));
      await admin.deleteGroups(ours);
    });

  return {
    database,
    startMember,
    replay: () =>
      [...running].reduceRight<() => Promise<void>>((inner, member) => () => member.restart(inner), rewind)(),
    close: async () => {
      await withAdmin(async (admin) => {
        const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(topicPrefix));
        if (topics.length > 0) await admin.deleteTopics({ topics });
      });
      await database.drop();
    },
  };
}
