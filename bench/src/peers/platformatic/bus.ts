import { type BusOptions, DEFAULT_WINDOW, openBusParts } from '@casewatch/messaging/bus-parts';
import { createKafkaAdmin } from '@casewatch/messaging/kafka/kafka-admin';
import { createKafkaClient } from '@casewatch/messaging/kafka/kafka-client';
import { readLag } from '@casewatch/messaging/kafka/kafka-lag';
import { createTopicKeeper } from '@casewatch/messaging/kafka/topic-keeper';
import { loadPlatformaticKafka } from './client.ts';
import { startPlatformaticGroup } from './group.ts';
import { createPlatformaticSender } from './sender.ts';

const POLL_MS = 10;

/** The event bus over Kafka with @platformatic/kafka as its client; topics and lag are kafkajs' business here, too. */
export async function startPlatformaticBus(
  options: BusOptions & {
    brokers: readonly string[];
    topicPrefix: string;
    partitions: number;
    sessionTimeoutMs: number;
  },
) {
  const { clock, logger, brokers, topicPrefix, partitions } = options;
  const kafka = await loadPlatformaticKafka();
  const topicOf = (event: string) => `${topicPrefix}${event}`;
  const eventOfTopic = (topic: string) => topic.slice(topicPrefix.length);
  const admin = createKafkaAdmin(createKafkaClient({ brokers, clientId: 'casewatch-bench' }, logger));
  const topics = createTopicKeeper({
    admin,
    clock,
    partitions,
    replicationFactor: -1,
    retentionMs: 3_600_000,
  });
  const parts = openBusParts(options);
  const sender = createPlatformaticSender({ kafka, brokers, topics, topicOf, clock });
  const relays = parts.startRelays(sender.dispatch);
  const groups = parts.groups.map(({ group, consumer }) =>
    startPlatformaticGroup({
      kafka,
      brokers,
      groupId: `${topicPrefix}${group}`,
      consumer,
      topics,
      topicOf,
      eventOfTopic,
      clock,
      window: options.window ?? DEFAULT_WINDOW,
      sessionTimeoutMs: options.sessionTimeoutMs,
    }),
  );
  const maintenance = parts.startMaintenance();

  /** Where every partition ends, once all of it is handled; undefined while messages are pending. */
  async function settledEnds(): Promise<string | undefined> {
    await topics.ensure(groups.flatMap((group) => group.topics));
    const lags = await readLag(admin, groups);
    if (lags.some(({ next, end }) => next < end)) return undefined;
    return lags.map(({ groupId, topic, partition, end }) => `${groupId} ${topic} ${partition} ${end}`).join();
  }

  async function stopAll(): Promise<void> {
    await Promise.all([
      sender.stop(),
      ...relays.map((relay) => relay.stop()),
      ...groups.map((group) => group.stop()),
      maintenance.stop(),
    ]);
    await admin.disconnect();
    await parts.close();
  }
  let stopped: Promise<void> | undefined;

  return {
    /** Resolves when everything published so far, and what its handlers published, is handled or dead-lettered. */
    async idle(): Promise<void> {
      for (;;) {
        const before = await settledEnds().catch(() => undefined);
        const busy = await parts.busy();
        if (before !== undefined && !busy && before === (await settledEnds().catch(() => undefined))) return;
        if (busy) for (const relay of relays) relay.poke();
        maintenance.poke();
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    stop(): Promise<void> {
      stopped ??= stopAll();
      return stopped;
    },
  };
}
