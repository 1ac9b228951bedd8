import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import type { BusLevels } from '../bus-levels.ts';
import { type BusOptions, DEFAULT_WINDOW, openBusParts } from '../bus-parts.ts';
import { createKafkaAdmin } from './kafka-admin.ts';
import { createKafkaClient, type KafkaConnection } from './kafka-client.ts';
import { startKafkaGroup } from './kafka-group.ts';
import { createKafkaSender } from './kafka-sender.ts';
import { createTopicKeeper } from './topic-keeper.ts';
import { watchLag } from './watch-lag.ts';

export interface KafkaBusOptions extends BusOptions, KafkaConnection {
  /** Prefix of every topic and group name, so that installations can share brokers: `casewatch.`. */
  topicPrefix: string;
  /** Of topics that are made here. */
  partitions?: number;
  /** Of topics that are made here; -1 leaves it to the broker. */
  replicationFactor?: number;
  /** Of topics that are made here: copies that must have an event before it counts as published. */
  minInSyncReplicas?: number | undefined;
  /** How long a member that died holds its partitions. */
  sessionTimeoutMs?: number;
  /** How long a refusal by the brokers is retried before it is fatal. */
  refusedPatienceMs?: number;
  /** Called when a consumer has failed permanently: the process should exit, so that it is restarted. */
  onFatal(error: Error): void;
}

export type KafkaBus = Awaited<ReturnType<typeof startKafkaBus>>;

/** Of topics that are made here; below the inbox's, so that a replay of all there is has no effect. */
const TOPIC_RETENTION_MS = 7 * 86_400_000;
const LEAVE_TIMEOUT_MS = 2_000;

/**
 * Starts the event bus over Kafka: relays send the events of this process's outboxes to topics, and this process is one
 * member of each of its consumer groups. At-least-once, in order per key; the inboxes make every effect happen
 * once. Starts without the brokers, too: events that can't be sent stay in the outboxes.
 */
export async function startKafkaBus(options: KafkaBusOptions) {
  const { clock, logger, topicPrefix } = options;
  const topicOf = (event: string) => `${topicPrefix}${event}`;
  const eventOfTopic = (topic: string) => topic.slice(topicPrefix.length);
  const kafka = createKafkaClient(options, logger, clock);
  const admin = createKafkaAdmin(kafka);
  const topics = createTopicKeeper({
    admin,
    clock,
    logger,
    partitions: options.partitions ?? 6,
    replicationFactor: options.replicationFactor ?? -1,
    minInSyncReplicas: options.minInSyncReplicas,
    retentionMs: TOPIC_RETENTION_MS,
  });
  const parts = openBusParts(options);
  const sender = createKafkaSender({ kafka, topics, topicOf, clock, logger });
  const relays = parts.startRelays(sender.dispatch);
  const groups = parts.groups.map(({ group, consumer }) =>
    startKafkaGroup({
      kafka,
      groupId: `${topicPrefix}${group}`,
      consumer,
      topics,
      topicOf,
      eventOfTopic,
      clock,
      logger,
      window: options.window ?? DEFAULT_WINDOW,
      sessionTimeoutMs: options.sessionTimeoutMs ?? 6_000,
      refusedPatienceMs: options.refusedPatienceMs ?? 60_000,
      onFatal: options.onFatal,
    }),
  );
  const maintenance = parts.startMaintenance();
  const lag = watchLag({ admin, groups, clock, logger });

  async function stopAll(): Promise<void> {
    const observed = lag.stop();
    await Promise.all([
      sender.stop(),
      ...relays.map((relay) => relay.stop()),
      ...groups.map((group) => group.stop()),
      maintenance.stop(),
    ]);
    const leave = observed.then(admin.disconnect);
    await withTimeout(leave, LEAVE_TIMEOUT_MS, 'timed out leaving the brokers').catch(() => undefined);
    await parts.close();
  }
  let stopped: Promise<void> | undefined;

  return {
    busy: parts.busy,

    /** Polls the outboxes, and looks for requested redrives, now. */
    poke(): void {
      for (const relay of relays) relay.poke();
      maintenance.poke();
    },

    /** Values of the bus's gauges: the lag of a group counts the partitions of this process. */
    levels: (): Promise<BusLevels> =>
      parts.levels((group) => lag.of(`${topicPrefix}${group}`), topics.withFewPartitions()),

    /**
     * @throws until this process has once become a member of each of its groups, for as long as that takes: a process
     * that starts before Kafka waits for it. Later outages of Kafka change nothing, since requests are answered without it.
     */
    requireJoined(): void {
      const missing = groups.find((group) => group.assigned() === undefined);
      if (missing) throw new Error(`the consumer group ${missing.groupId} has not been joined yet`);
    },

    /** Rejects while the brokers do not answer, or refuse to. */
    ping: () => admin.use((on) => on.describeCluster()),

    /** False when a partition of this process has had messages pending for a minute without progress. */
    healthy: lag.healthy,

    /** Finishes the handlers in progress; pending events stay in the outboxes and topics. */
    stop(): Promise<void> {
      stopped ??= stopAll();
      return stopped;
    },
  };
}
