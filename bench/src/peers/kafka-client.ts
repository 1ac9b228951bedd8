import { randomBytes } from 'node:crypto';
import { statusChanged } from '@casewatch/contracts/events';
import type { EventRecord } from '@casewatch/messaging/event-record';
import type { GroupConsumer } from '@casewatch/messaging/group-consumer';
import { createKafkaAdmin } from '@casewatch/messaging/kafka/kafka-admin';
import { createKafkaClient } from '@casewatch/messaging/kafka/kafka-client';
import { startKafkaGroup } from '@casewatch/messaging/kafka/kafka-group';
import { createKafkaSender } from '@casewatch/messaging/kafka/kafka-sender';
import { createTopicKeeper } from '@casewatch/messaging/kafka/topic-keeper';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { systemClock as clock } from '@casewatch/service-kit/runtime/clock';
import { createLogger } from '@casewatch/service-kit/runtime/logger';
import { loadPlatformaticKafka } from './platformatic/client.ts';
import { startPlatformaticGroup } from './platformatic/group.ts';
import { createPlatformaticSender } from './platformatic/sender.ts';

/**
 * Sends status changes through the product's transport with one client and reads them back, as a process of its own: `CLIENT`, `BROKERS`,
 * `EVENTS`. A quarter as many go before for warming up. Its last line of output is what it measured.
 */
const events = Number(process.env.EVENTS);
const warmUp = Math.ceil(events / 4);
const brokers = process.env.BROKERS?.split(',') ?? [];
/** As many as a relay has in flight. */
const WINDOW = 1_000;
let made = 0;

export interface KafkaFigures {
  readonly sentPerSecond: number;
  /** Processor time of this process. */
  readonly sentUs: number;
  readonly readPerSecond: number;
  readonly readUs: number;
}

const logger = createLogger({ level: 'error', name: 'bench' });
const prefix = `bench-${randomBytes(6).toString('hex')}.`;
const topicOf = (event: string) => `${prefix}${event}`;
const eventOfTopic = (topic: string) => topic.slice(prefix.length);
const kafkajs = createKafkaClient({ brokers, clientId: 'casewatch-bench' }, logger);
const admin = createKafkaAdmin(kafkajs);
const topics = createTopicKeeper({
  admin,
  clock,
  partitions: 6,
  replicationFactor: -1,
  retentionMs: 3_600_000,
});
const platformatic = process.env.CLIENT === 'kafkajs' ? undefined : await loadPlatformaticKafka();

const sent = await send();
const read = await receive();
await admin.use((on) => on.deleteTopics({ topics: [topicOf(statusChanged.name)] }));
await admin.disconnect();
const figures: KafkaFigures = {
  sentPerSecond: sent.perSecond,
  sentUs: sent.us,
  readPerSecond: read.perSecond,
  readUs: read.us,
};
console.log(JSON.stringify(figures));
process.exit(0);

async function send() {
  const sender = platformatic
    ? createPlatformaticSender({ kafka: platformatic, brokers, topics, topicOf, clock })
    : createKafkaSender({ kafka: kafkajs, topics, topicOf, clock, logger });
  const sendSome = async (count: number) => {
    for (let done = 0; done < count; done += WINDOW)
      await Promise.all(
        Array.from({ length: Math.min(WINDOW, count - done) }, () => sender.dispatch(makeEvent())),
      );
  };
  await sendSome(warmUp);
  const since = now();
  await sendSome(events);
  const measured = since(events);
  await sender.stop();
  return measured;
}

async function receive() {
  const warm = Promise.withResolvers<ReturnType<typeof now>>();
  const all = Promise.withResolvers<void>();
  let count = 0;
  const consumer: GroupConsumer = {
    group: 'notifications',
    topics: [statusChanged.name],
    dispatch: async () => {
      count += 1;
      if (count === warmUp) warm.resolve(now());
      if (count === warmUp + events) all.resolve();
    },
    redrive: async () => undefined,
    state: () => ({
      group: 'notifications',
      waiting: 0,
      lastProgressMs: 0,
      sincePauseMs: undefined,
      deadLettered: 0,
    }),
    stop: async () => undefined,
  };
  const shared = {
    groupId: `${prefix}readers`,
    consumer,
    topics,
    topicOf,
    eventOfTopic,
    clock,
    window: WINDOW,
    sessionTimeoutMs: 30_000,
  };
  const onFatal = (error: Error) => all.reject(error);
  const group = platformatic
    ? startPlatformaticGroup({ ...shared, kafka: platformatic, brokers })
    : startKafkaGroup({ ...shared, kafka: kafkajs, logger, refusedPatienceMs: 10_000, onFatal });
  const since = await warm.promise;
  await all.promise;
  const measured = since(events);
  await group.stop();
  return measured;
}

/** Begins to measure; the returned function gives the rate and the processor time for each of so many. */
function now() {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  return (count: number) => {
    const { user, system } = process.cpuUsage(before);
    const seconds = (performance.now() - startedMs) / 1_000;
    return { perSecond: count / seconds, us: (user + system) / count };
  };
}

/** As it stands in an outbox. */
function makeEvent(): EventRecord {
  const nowMs = clock.nowMs();
  const id = uuidV7(nowMs);
  const receiptNumber = `WAC${String(made++ % 10_000).padStart(10, '0')}`;
  const time = new Date(nowMs).toISOString();
  return {
    id,
    topic: statusChanged.name,
    key: receiptNumber,
    payload: {
      userId: id,
      receiptNumber,
      oldStatus: 'Case Was Received',
      newStatus: 'Case Was Approved',
      changedAt: time,
    },
    headers: {
      ce_specversion: '1.0',
      ce_id: id,
      ce_type: statusChanged.type,
      ce_source: '/casewatch/monitoring',
      ce_time: time,
      'content-type': 'application/json',
    },
  };
}
