import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import type { EachBatchPayload, Kafka } from 'kafkajs';
import type { GroupConsumer } from '../group-consumer.ts';
import { createGroupPartitions, resumeFetching } from './group-partitions.ts';
import { keepKafkaMembership } from './kafka-membership.ts';
import { eventOf } from './kafka-message.ts';
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

export type KafkaGroup = ReturnType<typeof startKafkaGroup>;

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
  const partitions = createGroupPartitions(logger);
  let assigned: ReadonlyMap<string, readonly number[]> | undefined;
  const membership = keepKafkaMembership({
    ...options,
    topicNames,
    logger,
    stopping: stopping.signal,
    onJoin(assignment) {
      assigned = new Map(Object.entries(assignment));
      partitions.rejoined();
    },
    onBatch: dispatchBatch,
    async beforeLeaving() {
      await Promise.all([handlersFinished.promise, committing]);
      await partitions.commitSettled();
    },
  });
  const committing = commitWhatSettles();

  async function dispatchBatch(payload: EachBatchPayload): Promise<void> {
    const { topic, partition, messages } = payload.batch;
    const progress = partitions.receiving(payload);
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

  async function commitWhatSettles(): Promise<void> {
    while (!stopping.signal.aborted) {
      await signal.wait(new Promise(() => undefined));
      const committed = await partitions.commitSettled();
      const pauseMs = committed ? COMMIT_EVERY_MS : COMMIT_AGAIN_MS;
      await clock.sleep(pauseMs, stopping.signal).catch(() => undefined);
      if (!committed) signal.notify();
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
