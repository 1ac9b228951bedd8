import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import type { EachBatchPayload, Kafka } from 'kafkajs';
import { BUSY_FETCH_WAIT_MS, fetchLessWhenIdle } from './fetch-wait.ts';
import { refusalOf } from './kafka-refusal.ts';
import type { TopicKeeper } from './topic-keeper.ts';

export interface KafkaMembershipOptions {
  kafka: Kafka;
  groupId: string;
  topicNames: readonly string[];
  topics: TopicKeeper;
  sessionTimeoutMs: number;
  /** How long a refusal is retried before it is fatal: permissions may be granted after the product was started. */
  refusedPatienceMs: number;
  clock: Clock;
  logger: Logger;
  stopping: AbortSignal;
  onJoin(assignment: Readonly<Record<string, readonly number[]>>): void;
  onBatch(payload: EachBatchPayload): Promise<void>;
  /** The last moment at which offsets can be committed. */
  beforeLeaving(): Promise<void>;
  /** Joining failed for good; the process should exit. The error's message says what to do. */
  onFatal(error: Error): void;
}

const HEARTBEATS_PER_SESSION = 10;
const FETCH_BYTES_PER_PARTITION = 256 * 1024;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Keeps this process a member of a consumer group until it is stopped. However the client ends, a new member replaces
 * it: kafkajs' own restarts are not used, because it treats a missing coordinator as fatal. Only a lasting refusal is
 * fatal here.
 */
export async function keepKafkaMembership(options: KafkaMembershipOptions): Promise<void> {
  const { clock, stopping, logger, topics, topicNames } = options;
  const log = createOutageLog(logger, {
    outage: 'kafka group: join failed, will retry',
    recovery: 'kafka group: joined',
  });
  const time = steadyTime(clock);
  let pauseMs = FIRST_PAUSE_MS;
  let refusedSinceMs: number | undefined;
  let joinedMs: number | undefined;

  function onJoin(assignment: Readonly<Record<string, readonly number[]>>): void {
    log.recovered();
    refusedSinceMs = undefined;
    joinedMs = time();
    options.onJoin(assignment);
  }

  /** Returns whether the process must exit. */
  function isPermanent(error: unknown): boolean {
    const refusal = refusalOf(error);
    refusedSinceMs = refusal && (refusedSinceMs ?? time());
    if (!refusal || refusedSinceMs === undefined) return false;
    if (refusal.canBeGranted && time() - refusedSinceMs < options.refusedPatienceMs) return false;
    logger.fatal({ err: error }, `kafka group: join refused, exiting: ${refusal.advice}`);
    options.onFatal(new Error(refusal.advice, { cause: error }));
    return true;
  }

  while (!stopping.aborted) {
    joinedMs = undefined;
    try {
      await beMember({ ...options, onJoin });
    } catch (error) {
      if (stopping.aborted || isPermanent(error)) return;
      log.failed(error);
      // The topics may be missing as well: brokers whose data was lost have none.
      topics.forget(topicNames);
    }
    if (joinedMs !== undefined && time() - joinedMs > MAX_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
    // Jitter, so that the replicas of a role do not rejoin all at once.
    await clock.sleep(pauseMs * (0.75 + Math.random() / 2), stopping).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }
}

/** One life of a member. Resolves when it was stopped, rejects with what ended it. */
async function beMember(options: KafkaMembershipOptions): Promise<void> {
  const { groupId, stopping, sessionTimeoutMs, topics } = options;
  const topicNames = [...options.topicNames];
  await topics.ensure(topicNames);
  stopping.throwIfAborted();
  fetchLessWhenIdle();
  const member = options.kafka.consumer({
    groupId,
    allowAutoTopicCreation: false,
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: Math.floor(sessionTimeoutMs / HEARTBEATS_PER_SESSION),
    maxWaitTimeInMs: BUSY_FETCH_WAIT_MS,
    maxBytesPerPartition: FETCH_BYTES_PER_PARTITION,
    retry: { restartOnFailure: async () => false },
  });
  const ended = Promise.withResolvers<void>();
  // It may settle before it is awaited.
  ended.promise.catch(() => undefined);
  const stop = () => ended.resolve();
  stopping.addEventListener('abort', stop, { once: true });
  member.on(member.events.CRASH, ({ payload }) => ended.reject(payload.error));
  member.on(member.events.GROUP_JOIN, ({ payload }) => options.onJoin(payload.memberAssignment));
  try {
    await member.connect();
    stopping.throwIfAborted();
    // A group that is new, or whose offsets have expired, starts at the oldest message.
    await member.subscribe({ topics: topicNames, fromBeginning: true });
    stopping.throwIfAborted();
    // Also resolves when it could not join: then CRASH has been emitted.
    await member.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: options.onBatch });
    await ended.promise;
    await options.beforeLeaving();
  } finally {
    stopping.removeEventListener('abort', stop);
    await member.disconnect().catch(() => undefined);
  }
}
