import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import type { OwnTestKafka } from '@casewatch/dev-stack/kafka/kafka-server';
import { makeSelfSigned, type SelfSigned } from '@casewatch/testing/self-signed';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { perKey, publishRun, quick, recorder, upTo } from '../bus-scenarios.ts';
import { createKafkaHarness, type KafkaHarness, type KafkaMember } from './kafka-harness.ts';

/** Brokers that know their clients by certificates. */

let broker: SelfSigned;
let known: SelfSigned;
let foreign: SelfSigned;
let kafka: OwnTestKafka;
let harness: KafkaHarness;
let member: KafkaMember | undefined;
beforeAll(async () => {
  [broker, known, foreign] = [await makeSelfSigned(), await makeSelfSigned(), await makeSelfSigned()];
  kafka = await startOwnTestKafka({ tls: { ...broker, clients: [known.cert] } });
}, 180_000);
afterAll(async () => {
  await kafka.stop();
  for (const { remove } of [broker, known, foreign]) remove();
});
beforeEach(async () => {
  harness = await createKafkaHarness(kafka.brokers, { ssl: by(known) });
});
afterEach(async () => {
  await member?.stop();
  member = undefined;
  await harness.close();
});

const by = (mine?: SelfSigned) => ({ ca: broker.cert, ...(mine ? { cert: mine.cert, key: mine.key } : {}) });

test('events pass with a certificate that the brokers trust', async () => {
  const started = await harness.startMember({ handlers: [recorder('notifications')], policy: quick });
  member = started;
  await publishRun(harness, 'a', 3);
  await started.idle();
  expect(perKey(await harness.database.effects('notifications'))).toEqual({ a: upTo(3) });
}, 60_000);

test.each([
  ['no certificate', () => by()],
  ['a certificate of an authority that the brokers do not trust', () => by(foreign)],
])('%s ends the process with a line that says so', async (_name, ssl) => {
  const fatal = Promise.withResolvers<Error>();
  const log: string[] = [];
  member = await harness.startMember({
    handlers: [recorder('notifications')],
    policy: quick,
    logger: pino({ level: 'warn' }, { write: (line: string) => log.push(line) }),
    ssl: ssl(),
    refusedPatienceMs: 1_000,
    onFatal: fatal.resolve,
  });
  expect((await fatal.promise).message).toContain('correct KAFKA_SSL_CERT and KAFKA_SSL_KEY');
  expect(log.join()).toContain('kafka group: join refused, exiting');
});
