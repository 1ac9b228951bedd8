import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createTroubleLog } from '@casewatch/service-kit/runtime/trouble-log';
import type { EachBatchPayload, Kafka } from 'kafkajs';
import { refusalOf } from './kafka-refusal.ts';
import type { TopicKeeper } from './topic-keeper.ts';

export interface KafkaMembershipOptions {
  kafka: Kafka;
  groupId: string;
  topicNames: readonly string[];
  topics: TopicKeeper;
  sessionTimeoutMs: number;
  /** Who is not let in is given up after this long: rights may be granted after the product was started. */
  refusedPatienceMs: number;
  clock: Clock;
  logger: Logger;
  stopping: AbortSignal;
  onJoin(assignment: Readonly<Record<string, readonly number[]>>): void;
  onBatch(payload: EachBatchPayload): Promise<void>;
  /** The last moment at which offsets can be committed. */
  beforeLeaving(): Promise<void>;
  /** Given up: whoever runs this process should end it. Its message says what to do. */
  onFatal(error: Error): void;
}

const HEARTBEATS_PER_SESSION = 10;
const FETCH_WAIT_MS = 100;
const FETCH_BYTES_PER_PARTITION = 256 * 1024;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Keeps this process a member of a consumer group until it is stopped. However the client ends, a new member takes its
 * place: kafkajs' own restarts are not used, because it takes a coordinator that is not there yet for an end. Nothing
 * but a refusal that lasts is given up.
 */
export async function keepKafkaMembership(options: KafkaMembershipOptions): Promise<void> {
  const { clock, stopping, logger, topics, topicNames } = options;
  const log = createTroubleLog(logger, {
    trouble: 'the consumer group can not be joined; trying again',
    over: 'the consumer group is joined again',
  });
  let pauseMs = FIRST_PAUSE_MS;
  let refusedSinceMs: number | undefined;
  let joinedMs: number | undefined;

  function onJoin(assignment: Readonly<Record<string, readonly number[]>>): void {
    log.over();
    refusedSinceMs = undefined;
    joinedMs = clock.nowMs();
    options.onJoin(assignment);
  }

  /** Whether the process must end. */
  function isGivenUp(error: unknown): boolean {
    const refusal = refusalOf(error);
    refusedSinceMs = refusal && (refusedSinceMs ?? clock.nowMs());
    if (!refusal || refusedSinceMs === undefined) return false;
    if (refusal.canBeGranted && clock.nowMs() - refusedSinceMs < options.refusedPatienceMs) return false;
    logger.fatal({ err: error }, `the Kafka consumer has given up: ${refusal.advice}`);
    options.onFatal(new Error(refusal.advice, { cause: error }));
    return true;
  }

  while (!stopping.aborted) {
    joinedMs = undefined;
    try {
      await beMember({ ...options, onJoin });
    } catch (error) {
      if (stopping.aborted || isGivenUp(error)) return;
      log.trouble(error);
      // They may be gone as well: brokers whose data was lost know none.
      topics.forget(topicNames);
    }
    if (joinedMs !== undefined && clock.nowMs() - joinedMs > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
    // Spread, so that the replicas of a role don't come all at once.
    await clock.sleep(pauseMs * (0.75 + Math.random() / 2), stopping).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** One life of a member. Resolves when it was stopped, rejects with what ended it. */
async function beMember(options: KafkaMembershipOptions): Promise<void> {
  const { groupId, stopping, sessionTimeoutMs, topics } = options;
  const topicNames = [...options.topicNames];
  await topics.ensure(topicNames);
  stopping.throwIfAborted();
  const member = options.kafka.consumer({
    groupId,
    allowAutoTopicCreation: false,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: Math.floor(sessionTimeoutMs / HEARTBEATS_PER_SESSION),
    maxWaitTimeInMs: FETCH_WAIT_MS,
    maxBytesPerPartition: FETCH_BYTES_PER_PARTITION,
    retry: { restartOnFailure: async () => false },
  });
  const ended = Promise.withResolvers<void>();
  // It may end before anybody waits for it.
  ended.promise.catch(() => undefined);
  const stop = () => ended.resolve();
  stopping.addEventListener('abort', stop, { once: true });
  member.on(member.events.CRASH, ({ payload }) => ended.reject(payload.error));
  member.on(member.events.GROUP_JOIN, ({ payload }) => options.onJoin(payload.memberAssignment));
  try {
    await member.connect();
    stopping.throwIfAborted();
    // A group that is new, or older than what the broker remembers of it, begins with what is there.
    await member.subscribe({ topics: topicNames, fromBeginning: true });
    stopping.throwIfAborted();
    // Resolves also when it could not join: then the crash has been told.
    await member.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: options.onBatch });
    await ended.promise;
    await options.beforeLeaving();
  } finally {
    stopping.removeEventListener('abort', stop);
    await member.disconnect().catch(() => undefined);
  }
}
