import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { KafkaAdmin } from './kafka-admin.ts';

export interface TopicOptions {
  admin: KafkaAdmin;
  clock: Clock;
  logger: Logger;
  /** Of a topic that is made here; an existing one stays as it is. */
  partitions: number;
  /** -1: the broker's default. */
  replicationFactor: number;
  /** Copies that must have an event before it counts as published; undefined: the broker's default. */
  minInSyncReplicas?: number | undefined;
  retentionMs: number;
}

const LEADER_POLL_MS = 100;
const LEADER_TRIES = 100;

/** What senders and groups need of it. */
export type TopicKeeper = Pick<ReturnType<typeof createTopicKeeper>, 'ensure' | 'forget'>;

/** Creates topics before they are used: brokers and clients never create one automatically here. */
export function createTopicKeeper(options: TopicOptions) {
  const { admin, clock, logger, partitions, replicationFactor, minInSyncReplicas, retentionMs } = options;
  const known = new Set<string>();
  const withFewPartitions = new Set<string>();

  async function make(topics: readonly string[]): Promise<void> {
    const existing = new Set(await admin.use((on) => on.listTopics()));
    const missing = topics.filter((topic) => !existing.has(topic));
    if (missing.length > 0) {
      // Another process may be faster: kafkajs then resolves to `false`.
      await admin.use((on) =>
        on.createTopics({
          waitForLeaders: false,
          topics: missing.map((topic) => ({
            topic,
            numPartitions: partitions,
            replicationFactor,
            configEntries: [
              { name: 'cleanup.policy', value: 'delete' },
              { name: 'retention.ms', value: String(retentionMs) },
              ...(minInSyncReplicas
                ? [{ name: 'min.insync.replicas', value: String(minInSyncReplicas) }]
                : []),
            ],
          })),
        }),
      );
    }
    for (let tries = 1; !(await allLed(topics)); tries++) {
      if (tries === LEADER_TRIES) throw new Error(`no leader for ${topics.join(', ')}`);
      await clock.sleep(LEADER_POLL_MS);
    }
  }

  /** A new topic is unknown to some brokers for a while. */
  async function allLed(topics: readonly string[]): Promise<boolean> {
    try {
      const metadata = await admin.use((on) => on.fetchTopicMetadata({ topics: [...topics] }));
      const isLed = metadata.topics.every(
        (topic) => topic.partitions.length > 0 && topic.partitions.every(({ leader }) => leader >= 0),
      );
      if (isLed) for (const { name, partitions } of metadata.topics) compare(name, partitions.length);
      return isLed;
    } catch (error) {
      if (isUnknownTopic(error)) return false;
      throw error;
    }
  }

  /** Adding partitions moves keys, so a topic keeps those that it was made with, and no more members than these work. */
  function compare(topic: string, found: number): void {
    if (found >= partitions) withFewPartitions.delete(topic);
    else {
      withFewPartitions.add(topic);
      logger.warn(
        { topic, partitions: found, configured: partitions },
        'kafka topics: fewer partitions than KAFKA_PARTITIONS, more replicas than these stay idle',
      );
    }
  }

  return {
    /** Returns how many of the topics that were ensured have fewer partitions than a new one gets. */
    withFewPartitions: (): number => withFewPartitions.size,
    /** Resolves when every topic is there and led. @throws when the broker is unavailable. */
    async ensure(topics: readonly string[]): Promise<void> {
      const unknown = topics.filter((topic) => !known.has(topic));
      if (unknown.length === 0) return;
      await make(unknown);
      for (const topic of unknown) known.add(topic);
    },
    /** The next `ensure` checks these topics again. */
    forget(topics: readonly string[]): void {
      for (const topic of topics) known.delete(topic);
    },
  };
}

function isUnknownTopic(error: unknown): boolean {
  return (
    error instanceof Error &&
    'type' in error &&
    (error.type === 'UNKNOWN_TOPIC_OR_PARTITION' || error.type === 'LEADER_NOT_AVAILABLE')
  );
}
