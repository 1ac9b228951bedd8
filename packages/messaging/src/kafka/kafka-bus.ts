import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import { createTroubleLog } from '@casewatch/service-kit/runtime/trouble-log';
import type { BusLevels } from '../bus-levels.ts';
import { type BusOptions, DEFAULT_WINDOW, openBusParts } from '../bus-parts.ts';
import { createKafkaAdmin } from './kafka-admin.ts';
import { createKafkaClient, type KafkaConnection } from './kafka-client.ts';
import { startKafkaGroup } from './kafka-group.ts';
import { type PartitionLag, readLag } from './kafka-lag.ts';
import { createKafkaSender } from './kafka-sender.ts';
import { createLiveness } from './liveness.ts';
import { createTopicKeeper } from './topic-keeper.ts';

export interface KafkaBusOptions extends BusOptions, KafkaConnection {
  /** Before every topic and group name, so that installations can share brokers: `casewatch.`. */
  topicPrefix: string;
  /** Of topics that are made here. */
  partitions?: number;
  /** Of topics that are made here; -1 leaves it to the broker. */
  replicationFactor?: number;
  /** Of topics that are made here; below the inbox's, so that a replay of all there is has no effect. */
  topicRetentionMs?: number;
  /** A member that died holds its partitions this long. */
  sessionTimeoutMs?: number;
  /** Who is not let in by the brokers is given up after this long. */
  refusedPatienceMs?: number;
  /** Called when a consumer has given up for good: the process should end, so that it is started again. */
  onFatal(error: Error): void;
}

export type KafkaBus = Awaited<ReturnType<typeof startKafkaBus>>;

const DAY_MS = 86_400_000;
const STUCK_AFTER_MS = 60_000;
const OBSERVE_EVERY_MS = 10_000;
const LEAVE_TIMEOUT_MS = 2_000;

/**
 * The event bus over Kafka: relays send the events of this process's outboxes to topics, and this process is one
 * member of each of its consumer groups. At-least-once, in order per key; the inboxes make every effect happen
 * once. Starts whether the brokers answer or not: what can't be sent waits in the outboxes.
 */
export async function startKafkaBus(options: KafkaBusOptions) {
  const { clock, logger, topicPrefix } = options;
  const topicOf = (event: string) => `${topicPrefix}${event}`;
  const eventOfTopic = (topic: string) => topic.slice(topicPrefix.length);
  const kafka = createKafkaClient(options, logger);
  const admin = createKafkaAdmin(kafka);
  const topics = createTopicKeeper({
    admin,
    clock,
    partitions: options.partitions ?? 6,
    replicationFactor: options.replicationFactor ?? -1,
    retentionMs: options.topicRetentionMs ?? 7 * DAY_MS,
  });
  const parts = openBusParts(options);
  const sender = createKafkaSender({ kafka, topics, topicOf, clock, logger });
  const relays = parts.startRelays(sender.take);
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
  const house = parts.keepHouse();
  const liveness = createLiveness(clock, STUCK_AFTER_MS);
  const stopping = new AbortController();
  let stuck: readonly string[] = [];
  /** As last observed; undefined while no broker answers. */
  let lags: readonly PartitionLag[] | undefined;
  const observing = observe();

  async function observe(): Promise<void> {
    const log = createTroubleLog(logger, {
      trouble: 'the lag can not be read',
      over: 'the lag can be read again',
    });
    while (!stopping.signal.aborted) {
      await clock.sleep(OBSERVE_EVERY_MS, stopping.signal).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        lags = await readLag(admin, groups);
        const now = liveness.stuck(lags.filter(isOurs));
        if (now.length > stuck.length) logger.error({ stuck: now }, 'events are waiting and nothing moves');
        stuck = now;
        log.over();
      } catch (error) {
        // A broker that is away is no reason to end: nobody could get on.
        lags = undefined;
        stuck = [];
        liveness.unknown();
        log.trouble(error);
      }
    }
  }

  /**
   * Ours to get on with: what is assigned to us, and everything before the first assignment, so that a member
   * that never joins shows. Not while something that the handlers need is away: a new start would not bring it.
   */
  function isOurs({ groupId, topic, partition }: PartitionLag): boolean {
    const group = groups.find((candidate) => candidate.groupId === groupId);
    const { lastPauseMs } = group?.state() ?? {};
    if (lastPauseMs !== undefined && clock.nowMs() - lastPauseMs < STUCK_AFTER_MS / 2) return false;
    return isAssigned({ groupId, topic, partition });
  }

  function isAssigned({ groupId, topic, partition }: Pick<PartitionLag, 'groupId' | 'topic' | 'partition'>) {
    const assigned = groups.find((candidate) => candidate.groupId === groupId)?.assigned();
    return assigned === undefined || (assigned.get(topic)?.includes(partition) ?? false);
  }

  /** Where every partition ends, when all of it is handled; undefined while something waits. */
  async function settledEnds(): Promise<string | undefined> {
    await topics.ensure(groups.flatMap((group) => group.topics));
    const lags = await readLag(admin, groups);
    if (lags.some(({ next, end }) => next < end)) return undefined;
    return lags.map(({ groupId, topic, partition, end }) => `${groupId} ${topic} ${partition} ${end}`).join();
  }

  async function stopAll(): Promise<void> {
    stopping.abort(new Error('stopped'));
    await Promise.all([
      sender.stop(),
      ...relays.map((relay) => relay.stop()),
      ...groups.map((group) => group.stop()),
      house.stop(),
    ]);
    const leave = observing.then(admin.disconnect);
    await withTimeout(leave, LEAVE_TIMEOUT_MS, 'no answer').catch(() => undefined);
    await parts.close();
  }
  let stopped: Promise<void> | undefined;

  return {
    /**
     * Resolves when everything published so far, and what its handlers published, is handled or set aside by
     * the groups of this process, whoever their members are. Waits for a broker that is away.
     */
    async idle(): Promise<void> {
      for (;;) {
        const before = await settledEnds().catch(() => undefined);
        const busy = await parts.busy();
        // What was sent in between shows as another end; what was not yet sent, in its outbox.
        if (before !== undefined && !busy && before === (await settledEnds().catch(() => undefined))) return;
        if (busy) for (const relay of relays) relay.poke();
        house.poke();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },

    /** Depth and age of each outbox; what each group has in hand, when it last got on, and how far it is behind. */
    async stats() {
      const [outboxes, groupStats, lags] = await Promise.all([
        parts.outboxStats(),
        parts.groupStats(),
        readLag(admin, groups).catch(() => undefined),
      ]);
      return {
        outboxes: outboxes.map((outbox, index) => ({
          ...outbox,
          leading: relays[index]?.leading() ?? false,
        })),
        groups: groupStats.map((group) => ({
          ...group,
          /** Messages that the whole group has not handled; undefined while no broker answers. */
          lag: lags
            ?.filter(({ groupId }) => groupId === `${topicPrefix}${group.group}`)
            .reduce((sum, { next, end }) => sum + Number(end - next), 0),
        })),
      };
    },

    /** What the gauges of the bus say: for each group, the messages of the partitions that are this process's. */
    async levels(): Promise<BusLevels> {
      const [outboxes, groupStats] = await Promise.all([parts.outboxStats(), parts.groupStats()]);
      const own = lags?.filter(isAssigned);
      const lagOf = (group: string) =>
        own
          ?.filter(({ groupId }) => groupId === `${topicPrefix}${group}`)
          .reduce((sum, { next, end }) => sum + Number(end - next), 0);
      return { outboxes, groups: groupStats.map((group) => ({ ...group, lag: lagOf(group.group) })) };
    },

    /**
     * @throws until this process has once become a member of each of its groups, for as long as that takes: who starts
     * before Kafka waits for it. Later absences of Kafka change nothing, since requests are answered without it.
     */
    requireJoined(): void {
      const missing = groups.find((group) => group.assigned() === undefined);
      if (missing) throw new Error(`the consumer group ${missing.groupId} has not been joined yet`);
    },

    /** False when a partition of this process has had something to do for a minute and has not moved. */
    healthy: () => stuck.length === 0,

    /** Finishes the handlers that are under way; what waits stays in the outboxes and topics. */
    stop(): Promise<void> {
      stopped ??= stopAll();
      return stopped;
    },
  };
}
