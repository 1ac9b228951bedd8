import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { silenceNegativeTimers } from '@casewatch/messaging/kafka/kafkajs-patches';
import { testKafkaBrokers } from '@casewatch/testing/test-kafka';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { expect, test } from 'vitest';
import { startCommand, until } from '../run-command.ts';

const start = (words: readonly string[], env: Record<string, string>) =>
  startCommand(tmpdir(), 'scripts/events.ts', words, env);

async function events(words: readonly string[], env: Record<string, string>) {
  const run = start(words, env);
  return { code: await run.code, output: run.output() };
}

test('tail shows what arrives at Kafka, of the one topic that was given', async () => {
  const brokers = await testKafkaBrokers();
  const prefix = `test-${randomBytes(6).toString('hex')}.`;
  silenceNegativeTimers();
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: true,
    topics: ['status-changed', 'case-observed'].map((name) => ({ topic: prefix + name, numPartitions: 2 })),
  });
  const env = { KAFKA_BROKERS: brokers.join(), KAFKA_TOPIC_PREFIX: prefix };
  expect(await events(['tail', '--topic', 'none-such'], env)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${prefix}status-changed`),
  });
  const tail = start(['tail', '--topic', 'status-changed', '--count', '1'], env);
  await until(() => (tail.output().includes('Listening') ? true : undefined));
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  const id = randomUUID();
  const send = (topic: string) =>
    producer.send({
      topic: prefix + topic,
      messages: [{ key: 'EAC1', value: '{"a":1}', headers: { ce_id: id } }],
    });
  let ended = false;
  void tail.code.then(() => {
    ended = true;
  });
  // A group that has just joined begins at the end, wherever that then is.
  while (!ended) {
    await send('case-observed');
    await send('status-changed');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await tail.code).toBe(0);
  expect(tail.output()).toContain(`status-changed  EAC1  ${id}  {"a":1}`);
  expect(tail.output()).not.toContain('case-observed');
  const { groups } = await admin.listGroups();
  expect(groups.filter(({ groupId }) => groupId.startsWith(prefix))).toEqual([]);
  await Promise.all([producer.disconnect(), admin.disconnect()]);
}, 90_000);
