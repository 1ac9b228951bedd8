import type { GroupConsumer } from '@casewatch/messaging/group-consumer';
import {
  createPartitionProgress,
  type PartitionProgress,
} from '@casewatch/messaging/kafka/partition-progress';
import type { TopicKeeper } from '@casewatch/messaging/kafka/topic-keeper';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import type {
  PlatformaticConsumer,
  PlatformaticKafka,
  PlatformaticMessage,
  PlatformaticStream,
} from './client.ts';

interface Held extends PartitionProgress {
  readonly topic: string;
  readonly partition: number;
  leaderEpoch: number;
}

const COMMIT_EVERY_MS = 20;
const JOIN_AGAIN_MS = 200;
const FETCH_WAIT_MS = 100;
const FETCH_BYTES_PER_PARTITION = 256 * 1024;
const HEARTBEATS_PER_SESSION = 10;

/**
 * One member of a consumer group, as `startKafkaGroup`: messages go to the group consumer as they arrive; an offset is committed when
 * everything before it is settled. The stream is paused as a whole while any partition has `window` messages in flight.
 */
export function startPlatformaticGroup(options: {
  kafka: PlatformaticKafka;
  brokers: readonly string[];
  groupId: string;
  consumer: GroupConsumer;
  topics: TopicKeeper;
  topicOf(event: string): string;
  eventOfTopic(topic: string): string;
  clock: Clock;
  window: number;
  sessionTimeoutMs: number;
}) {
  const { kafka, consumer, clock, window, topics } = options;
  const topicNames = consumer.topics.map(options.topicOf);
  const stopping = new AbortController();
  const signal = createSignal();
  const held = new Map<string, Held>();
  let stream: PlatformaticStream | undefined;
  let member: PlatformaticConsumer | undefined;
  const membership = keepMembership();
  const committing = commitWhatSettles();

  async function keepMembership(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await topics.ensure(topicNames);
        await beMember();
      } catch {
        topics.forget(topicNames);
      }
      await clock.sleep(JOIN_AGAIN_MS, stopping.signal).catch(() => undefined);
    }
  }

  /** Resolves when it was stopped, rejects with what ended it. */
  async function beMember(): Promise<void> {
    const ended = Promise.withResolvers<void>();
    ended.promise.catch(() => undefined);
    stopping.signal.addEventListener('abort', () => ended.resolve(), { once: true });
    member = new kafka.Consumer({
      clientId: 'casewatch-bench',
      bootstrapBrokers: [...options.brokers],
      groupId: options.groupId,
      deserializers: kafka.stringDeserializers,
      autocommit: false,
      sessionTimeout: options.sessionTimeoutMs,
      heartbeatInterval: Math.floor(options.sessionTimeoutMs / HEARTBEATS_PER_SESSION),
      maxWaitTime: FETCH_WAIT_MS,
      maxBytesPerPartition: FETCH_BYTES_PER_PARTITION,
    });
    try {
      member.on('consumer:group:join', () => held.clear());
      stream = await member.consume({ topics: topicNames, mode: 'committed', fallbackMode: 'earliest' });
      stream.on('error', ended.reject);
      stream.on('data', dispatch);
      await ended.promise;
      await consumer.stop();
      await committing;
      await commitSettled();
    } finally {
      await stream?.close().catch(() => undefined);
      await member.close(true).catch(() => undefined);
      held.clear();
    }
  }

  function dispatch(message: PlatformaticMessage): void {
    if (stopping.signal.aborted) return;
    const { topic, partition, key, value } = message;
    const headers = Object.fromEntries(message.headers);
    const progress = progressOf(message);
    const settle = progress.begin(message.offset);
    if (progress.inFlight() >= window) stream?.pause();
    const event = {
      id: headers.ce_id ?? '',
      topic: options.eventOfTopic(topic),
      key,
      payload: parsed(value),
      headers,
    };
    consumer.dispatch(event).then(
      () => {
        settle();
        if (held.get(`${topic}/${partition}`)?.inFlight() === Math.floor(window / 2)) stream?.resume();
        signal.notify();
      },
      () => undefined,
    );
  }

  function progressOf({ topic, partition, leaderEpoch }: PlatformaticMessage): Held {
    const name = `${topic}/${partition}`;
    const known = held.get(name);
    if (known) {
      known.leaderEpoch = leaderEpoch;
      return known;
    }
    const begun = { ...createPartitionProgress(), topic, partition, leaderEpoch };
    held.set(name, begun);
    return begun;
  }

  async function commitWhatSettles(): Promise<void> {
    while (!stopping.signal.aborted) {
      await signal.wait(new Promise(() => undefined));
      await commitSettled();
      await clock.sleep(COMMIT_EVERY_MS, stopping.signal).catch(() => undefined);
    }
  }

  async function commitSettled(): Promise<void> {
    const due = [...held.values()].flatMap((progress) => {
      const offset = progress.committable();
      return offset === undefined ? [] : [{ progress, offset }];
    });
    if (due.length === 0) return;
    try {
      await member?.commit({
        offsets: due.map(({ progress: { topic, partition, leaderEpoch }, offset }) => ({
          topic,
          partition,
          offset,
          leaderEpoch,
        })),
      });
      for (const { progress, offset } of due) progress.noteCommitted(offset);
    } catch {
      signal.notify();
    }
  }

  return {
    groupId: options.groupId,
    topics: topicNames,
    /** Finishes the handlers in progress, commits, leaves the group. */
    async stop(): Promise<void> {
      stopping.abort(new Error('stopped'));
      signal.notify();
      await membership;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
