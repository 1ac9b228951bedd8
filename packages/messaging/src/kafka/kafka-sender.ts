import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { withTimeout } from '@casewatch/service-kit/runtime/lifecycle';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createOutageLog } from '@casewatch/service-kit/runtime/outage-log';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import { type Kafka, type Message, Partitioners, type Producer } from 'kafkajs';
import type { EventRecord } from '../event-record.ts';
import { messageOf } from './kafka-message.ts';
import type { TopicKeeper } from './topic-keeper.ts';

export interface KafkaSenderOptions {
  kafka: Kafka;
  topics: TopicKeeper;
  topicOf(event: string): string;
  clock: Clock;
  logger: Logger;
}

interface Sending {
  readonly topic: string;
  readonly message: Message;
  readonly bytes: number;
  resolve(): void;
  reject(reason: Error): void;
}

/** Below the megabyte that brokers take as one batch by default. */
const BATCH_BYTES = 500_000;
const BATCH_EVENTS = 1_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const STOP_TIMEOUT_MS = 3_000;

/**
 * Sends events in batches, one batch at a time, in the order in which they came: a key is always in one
 * partition, so its order is kept. A batch that fails is sent again by a new producer until all in-sync replicas
 * have it: a broker may then hold an event twice, never out of order.
 */
export function createKafkaSender({ kafka, topics, topicOf, clock, logger }: KafkaSenderOptions) {
  const waiting: Sending[] = [];
  const stopping = new AbortController();
  const log = createOutageLog(logger, {
    outage: 'kafka sender: broker unavailable, events stay in the outboxes',
    recovery: 'kafka sender: broker available, sending events',
  });
  const signal = createSignal();
  let inFlight: readonly Sending[] = [];
  let producer: Producer | undefined;
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const batch = takeBatch(waiting);
      if (batch.length > 0) await sendUntilAcknowledged(batch);
      else await signal.wait(new Promise(() => undefined));
    }
    await dropProducer();
  }

  async function sendUntilAcknowledged(batch: readonly Sending[]): Promise<void> {
    inFlight = batch;
    const messages = Map.groupBy(batch, ({ topic }) => topic);
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      try {
        await topics.ensure([...messages.keys()]);
        producer ??= await connectProducer(kafka);
        await producer.sendBatch({
          acks: -1,
          topicMessages: [...messages].map(([topic, sendings]) => ({
            topic,
            messages: sendings.map(({ message }) => message),
          })),
        });
        for (const { resolve } of batch) resolve();
        log.recovered();
        return;
      } catch (error) {
        log.failed(error);
        topics.forget([...messages.keys()]);
        await dropProducer();
        await clock.sleep(pauseMs, stopping.signal).catch(() => undefined);
        pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      }
    }
  }

  async function dropProducer(): Promise<void> {
    const dropped = producer;
    producer = undefined;
    await dropped?.disconnect().catch(() => undefined);
  }

  return {
    /** Resolves when the broker has the event; rejects only when the sender stops before. */
    dispatch(event: EventRecord): Promise<void> {
      return new Promise((resolve, reject) => {
        if (stopping.signal.aborted) return reject(stoppedError());
        const message = messageOf(event);
        const bytes = Buffer.byteLength(message.value ?? '');
        waiting.push({ topic: topicOf(event.topic), message, bytes, resolve, reject });
        signal.notify();
      });
    },
    /** Waits briefly for the batch in flight; events that are not acknowledged are rejected. */
    async stop(): Promise<void> {
      stopping.abort(stoppedError());
      signal.notify();
      await withTimeout(running, STOP_TIMEOUT_MS, 'timed out stopping the kafka sender').catch(
        () => undefined,
      );
      for (const { reject } of [...inFlight, ...waiting.splice(0)]) reject(stoppedError());
    },
  };
}

/** Takes as many as one batch may have from the head. */
function takeBatch(waiting: Sending[]): Sending[] {
  let bytes = 0;
  let count = 0;
  for (const sending of waiting) {
    bytes += sending.bytes;
    if (count > 0 && (bytes > BATCH_BYTES || count === BATCH_EVENTS)) break;
    count++;
  }
  return waiting.splice(0, count);
}

/** Connects a new producer: an idempotent one can lose its place in the sequence (kafkajs issue 598), and a new one starts another sequence. */
async function connectProducer(kafka: Kafka): Promise<Producer> {
  const made = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    idempotent: true,
    maxInFlightRequests: 1,
    retry: { retries: 3, initialRetryTime: 50, maxRetryTime: 500 },
  });
  await made.connect();
  return made;
}

const stoppedError = () => new Error('the sender stopped');
