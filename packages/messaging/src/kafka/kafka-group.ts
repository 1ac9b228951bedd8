import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import type { EachBatchPayload, Kafka } from 'kafkajs';
import type { GroupConsumer } from '../group-consumer.ts';
import { keepKafkaMembership } from './kafka-membership.ts';
import { eventOf } from './kafka-message.ts';
import { createPartitionProgress, type PartitionProgress } from './partition-progress.ts';
import type { TopicKeeper } from './topic-keeper.ts';

export interface KafkaGroupOptions {
  kafka: Kafka;
  /** Name of the group at the broker. */
  groupId: string;
  consumer: GroupConsumer;
  topics: TopicKeeper;
  topicOf(event: string): string;
  eventOfTopic(topic: string): string;
  clock: Clock;
  logger: Logger;
  /** Most messages of a partition in flight. */
  window: number;
  /** How long a member that died holds its partitions. */
  sessionTimeoutMs: number;
  /** How long a refusal by the brokers is retried before it is fatal. */
  refusedPatienceMs: number;
  /** The brokers refuse this member for good; the process should exit. */
  onFatal(error: Error): void;
}

/** A member that takes over handles the events of this interval again, without effect. */
const COMMIT_EVERY_MS = 100;
const COMMIT_AGAIN_MS = 500;
const LEAVE_TIMEOUT_MS = 3_000;

interface Partition extends PartitionProgress {
  readonly topic: string;
  readonly partition: number;
  resume: (() => void) | undefined;
}

/**
 * Starts one member of a consumer group. Messages are dispatched to the group consumer as they arrive, without waiting for
 * it, so that the client keeps fetching and sending heartbeats; a partition with too many messages in flight is
 * paused. An offset is committed when everything before it is settled, whichever generation of the group delivered it. The
 * liveness probe judges the progress of the handlers, not the session.
 */
export function startKafkaGroup(options: KafkaGroupOptions) {
  const { groupId, consumer, clock, window } = options;
  const logger = options.logger.child({ groupId });
  const stopping = new AbortController();
  const handlersFinished = Promise.withResolvers<void>();
  const signal = createSignal();
  const topicNames = consumer.topics.map(options.topicOf);
  /** By topic and partition; outlives assignments, since what was dispatched stays in flight. */
  const partitions = new Map<string, Partition>();
  /** Of the batch delivered last, which belongs to the group as it is now. */
  let commit: EachBatchPayload['commitOffsetsIfNecessary'] | undefined;
  let assigned: ReadonlyMap<string, readonly number[]> | undefined;
  const membership = keepKafkaMembership({
    ...options,
    topicNames,
    logger,
    stopping: stopping.signal,
    onJoin(assignment) {
      assigned = new Map(Object.entries(assignment));
      for (const known of partitions.values()) {
        resumeFetching(known);
        known.rejoined();
      }
    },
    onBatch: dispatchBatch,
    async beforeLeaving() {
      await Promise.all([handlersFinished.promise, committing]);
      await commitSettled();
    },
  });
  const committing = commitWhatSettles();

  async function dispatchBatch(payload: EachBatchPayload): Promise<void> {
    const { topic, partition, messages } = payload.batch;
    const progress = partitionOf(topic, partition);
    commit = payload.commitOffsetsIfNecessary;
    const event = options.eventOfTopic(topic);
    let last: string | undefined;
    for (const message of messages) {
      if (progress.inFlight() >= window || stopping.signal.aborted) break;
      const settle = progress.begin(BigInt(message.offset));
      consumer.dispatch(eventOf(message, { event, partition })).then(
        () => {
          settle();
          if (progress.inFlight() <= window / 2) resumeFetching(progress);
          signal.notify();
        },
        // Stopped before its turn: it is not committed and will be delivered again.
        () => undefined,
      );
      last = message.offset;
    }
    if (last !== undefined) payload.resolveOffset(last);
    if (progress.inFlight() >= window) progress.resume = payload.pause();
  }

  function partitionOf(topic: string, partition: number): Partition {
    const name = `${topic}/${partition}`;
    const known = partitions.get(name);
    if (known) return known;
    const made: Partition = { ...createPartitionProgress(), topic, partition, resume: undefined };
    partitions.set(name, made);
    return made;
  }

  function resumeFetching(progress: Partition): void {
    progress.resume?.();
    progress.resume = undefined;
  }

  async function commitWhatSettles(): Promise<void> {
    while (!stopping.signal.aborted) {
      await signal.wait(new Promise(() => undefined));
      const committed = await commitSettled();
      const pauseMs = committed ? COMMIT_EVERY_MS : COMMIT_AGAIN_MS;
      await clock.sleep(pauseMs, stopping.signal).catch(() => undefined);
      if (!committed) signal.notify();
    }
  }

  /**
   * Bypasses `consumer.commitOffsets`, which starts a second fetch loop when the group rebalances. An offset that can't be
   * committed is committed later, or its messages are delivered again without effect.
   */
  async function commitSettled(): Promise<boolean> {
    const due = [...partitions.values()].flatMap((progress) => {
      const offset = progress.committable();
      return offset === undefined ? [] : [{ progress, offset }];
    });
    if (due.length === 0 || !commit) return true;
    try {
      await commit({
        topics: [...Map.groupBy(due, ({ progress }) => progress.topic)].map(([topic, parts]) => ({
          topic,
          partitions: parts.map(({ progress, offset }) => ({
            partition: progress.partition,
            offset: String(offset),
          })),
        })),
      });
      for (const { progress, offset } of due) progress.noteCommitted(offset);
      return true;
    } catch (error) {
      logger.debug({ err: error }, 'kafka group: offset commit failed, will retry');
      return false;
    }
  }

  return {
    groupId,
    topics: topicNames,
    state: consumer.state,
    /** Partitions of this member, by topic; undefined until it has joined. */
    assigned: () => assigned,
    /** Finishes the handlers in progress, commits, leaves the group. */
    async stop(): Promise<void> {
      stopping.abort(new Error('stopped'));
      signal.notify();
      handlersFinished.resolve(consumer.stop());
      await Promise.all([handlersFinished.promise, committing]);
      await withTimeout(membership, LEAVE_TIMEOUT_MS, 'timed out leaving the consumer group').catch((error) =>
        logger.warn(
          { err: error },
          'kafka group: leaving timed out, partitions are released when the session expires',
        ),
      );
    },
  };
}
