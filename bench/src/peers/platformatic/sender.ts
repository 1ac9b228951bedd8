import type { EventRecord } from '@casewatch/messaging/event-record';
import type { TopicKeeper } from '@casewatch/messaging/kafka/topic-keeper';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { createSignal } from '@casewatch/service-kit/runtime/signal';
import type { PlatformaticKafka, PlatformaticProducer } from './client.ts';

interface Sending {
  readonly message: { topic: string; key: string; value: string; headers: Record<string, string> };
  resolve(): void;
  reject(reason: Error): void;
}

const BATCH_EVENTS = 1_000;
const PAUSE_MS = 200;

/**
 * Sends events as `createKafkaSender` does: in batches of up to a thousand, one at a time, in their order, by an idempotent producer;
 * a batch that fails is sent again by a new one.
 */
export function createPlatformaticSender(options: {
  kafka: PlatformaticKafka;
  brokers: readonly string[];
  topics: TopicKeeper;
  topicOf(event: string): string;
  clock: Clock;
}) {
  const { kafka, topics, clock } = options;
  const waiting: Sending[] = [];
  const stopping = new AbortController();
  const signal = createSignal();
  let producer: PlatformaticProducer | undefined;
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const batch = waiting.splice(0, BATCH_EVENTS);
      if (batch.length > 0) await sendUntilAcknowledged(batch);
      else await signal.wait(new Promise(() => undefined));
    }
    for (const { reject } of waiting.splice(0)) reject(stoppedError());
    await dropProducer();
  }

  async function sendUntilAcknowledged(batch: readonly Sending[]): Promise<void> {
    const messages = batch.map(({ message }) => message);
    const names = [...new Set(messages.map(({ topic }) => topic))];
    while (!stopping.signal.aborted) {
      try {
        await topics.ensure(names);
        producer ??= makeProducer();
        await producer.send({ messages });
        for (const { resolve } of batch) resolve();
        return;
      } catch {
        topics.forget(names);
        await dropProducer();
        await clock.sleep(PAUSE_MS, stopping.signal).catch(() => undefined);
      }
    }
    for (const { reject } of batch) reject(stoppedError());
  }

  function makeProducer(): PlatformaticProducer {
    return new kafka.Producer({
      clientId: 'casewatch-bench',
      bootstrapBrokers: [...options.brokers],
      serializers: kafka.stringSerializers,
      partitioner: kafka.compatibilityPartitioner,
      autocreateTopics: false,
      idempotent: true,
      acks: -1,
    });
  }

  async function dropProducer(): Promise<void> {
    const dropped = producer;
    producer = undefined;
    await dropped?.close(true).catch(() => undefined);
  }

  return {
    /** Resolves when the broker has the event; rejects only when the sender stops before. */
    dispatch({ topic, key, payload, headers }: EventRecord): Promise<void> {
      return new Promise((resolve, reject) => {
        if (stopping.signal.aborted) return reject(stoppedError());
        const message = {
          topic: options.topicOf(topic),
          key,
          value: JSON.stringify(payload),
          headers: { ...headers },
        };
        waiting.push({ message, resolve, reject });
        signal.notify();
      });
    },
    async stop(): Promise<void> {
      stopping.abort(stoppedError());
      signal.notify();
      await running;
    },
  };
}

const stoppedError = () => new Error('the sender stopped');
