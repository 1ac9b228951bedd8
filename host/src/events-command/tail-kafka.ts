import { randomBytes } from 'node:crypto';
import { createKafkaClient, type KafkaConnection } from '@casewatch/messaging/kafka/kafka-client';
import { eventOf } from '@casewatch/messaging/kafka/kafka-message';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { lineOfEvent, type TailOptions } from './tail-outboxes.ts';

export interface TailKafkaOptions extends TailOptions {
  connection: Omit<KafkaConnection, 'clientId'>;
  topicPrefix: string;
}

/** Prints what arrives from now on, as a group of its own that is deleted afterwards. */
export async function tailKafka(options: TailKafkaOptions): Promise<void> {
  const { connection, topicPrefix, topic, count, say, until } = options;
  const logger = createLogger({ level: 'error', name: 'events' });
  const kafka = createKafkaClient({ ...connection, clientId: 'casewatch-events' }, logger);
  const groupId = `${topicPrefix}tail-${randomBytes(6).toString('hex')}`;
  const admin = kafka.admin();
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 100 });
  await admin.connect();
  try {
    const there = (await admin.listTopics()).filter((name) => name.startsWith(topicPrefix));
    const topics = topic ? there.filter((name) => name === topicPrefix + topic) : there;
    if (topics.length === 0) {
      throw new Error(
        `There is no topic ${topicPrefix}${topic ?? '…'}; there are: ${there.join(', ') || 'none'}.`,
      );
    }
    await consumer.connect();
    await consumer.subscribe({ topics, fromBeginning: false });
    let left = count ?? Number.POSITIVE_INFINITY;
    await new Promise<void>((resolve, reject) => {
      until.addEventListener('abort', () => resolve());
      consumer.on(consumer.events.CRASH, ({ payload }) => payload.restart || reject(payload.error));
      consumer.on(consumer.events.GROUP_JOIN, () => say('Listening; Ctrl-C ends it.'));
      const eachMessage = async ({ topic: name, partition, message }: TakenMessage) => {
        if (left-- > 0)
          say(lineOfEvent(eventOf(message, { event: name.slice(topicPrefix.length), partition })));
        if (left <= 0) resolve();
      };
      consumer.run({ autoCommit: false, eachMessage }).catch(reject);
    });
  } finally {
    await consumer.disconnect();
    await admin.deleteGroups([groupId]).catch(() => undefined);
    await admin.disconnect();
  }
}

type TakenMessage = { topic: string; partition: number; message: Parameters<typeof eventOf>[0] };
