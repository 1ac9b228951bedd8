import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startOwnTestKafka } from '@casewatch/dev-stack/kafka/kafka';
import type { OwnTestKafka } from '@casewatch/dev-stack/kafka/kafka-server';
import { type Clock, systemClock } from '@casewatch/service-kit/runtime/clock';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { listDeadLetters } from '../../src/dead-letters.ts';
import { startKafkaBus } from '../../src/kafka/kafka-bus.ts';
import type { MemberOptions } from '../bus-harness.ts';
import {
  counted,
  gate,
  bus as outbox,
  perKey,
  publishOne,
  publishRun,
  quick,
  recorder,
  upTo,
} from '../bus-scenarios.ts';
import { createKafkaHarness, type KafkaHarness, type KafkaMember } from './kafka-harness.ts';

/** What is special to the adapter with a broker: the broker fails, members die, foreign messages arrive. */

/** How often a member looks at its lag. */
const OBSERVE_EVERY_MS = 10_000;

const warnings: string[] = [];
const noteWarning = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
let kafka: OwnTestKafka;
let harness: KafkaHarness;
let members: KafkaMember[];
let child: ChildProcess | undefined;
beforeAll(async () => {
  process.on('warning', noteWarning);
  kafka = await startOwnTestKafka();
}, 180_000);
afterAll(async () => {
  process.off('warning', noteWarning);
  await kafka.stop();
});
beforeEach(async () => {
  harness = await createKafkaHarness(kafka.brokers);
  members = [];
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await Promise.all(members.map((member) => member.stop()));
  await harness.close();
});

async function startMember(
  handlers = [recorder('notifications')],
  options: Pick<MemberOptions, 'clock'> = {},
): Promise<KafkaMember> {
  const member = await harness.startMember({ handlers, policy: quick, ...options });
  members.push(member);
  return member;
}
const effects = async () => perKey(await harness.database.effects('notifications'));
const handled = async () => (await harness.database.effects('notifications')).length;
const deadLetters = () => harness.database.transaction('notifications', (tx) => listDeadLetters(tx));
const client = () => new Kafka({ brokers: [...kafka.brokers], logLevel: logLevel.NOTHING });
const topic = () => `${harness.topicPrefix}${counted.name}`;

test('an event travels as a CloudEvent in binary mode, its key as the message key', async () => {
  const member = await startMember();
  await publishOne(harness, 'a', 1);
  await member.idle();
  const consumer = client().consumer({ groupId: `${harness.topicPrefix}reader`, maxWaitTimeInMs: 100 });
  await consumer.subscribe({ topics: [topic()], fromBeginning: true });
  const seen = await new Promise<unknown>((resolve) => {
    void consumer.run({
      eachMessage: async ({ message }) =>
        resolve({
          key: String(message.key),
          value: JSON.parse(String(message.value)),
          headers: Object.fromEntries(
            Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
          ),
        }),
    });
  });
  await consumer.disconnect();
  expect(seen).toEqual({
    key: 'a',
    value: { userId: 'a', loginCount: 1 },
    headers: {
      ce_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ce_source: '/casewatch/billing',
      ce_specversion: '1.0',
      ce_time: expect.stringMatching(/^\d{4}-.*Z$/),
      ce_type: 'casewatch.events.v1.UserLoggedIn',
      'content-type': 'application/json',
    },
  });
});

test('R5: a foreign message goes to the dead letters once, however often it is read, and the next is handled', async () => {
  const member = await startMember();
  await member.idle();
  const producer = client().producer();
  await producer.connect();
  await producer.send({
    topic: topic(),
    messages: [
      { key: 'a', value: 'no JSON \0 at all' },
      { key: 'a', value: null },
    ],
  });
  await producer.disconnect();
  await publishOne(harness, 'a', 1);
  await member.idle();
  await harness.replay();
  await member.idle();
  expect(await effects()).toEqual({ a: [1] });
  const letters = await deadLetters();
  expect(letters.map(({ payload }) => payload).toSorted()).toEqual(['', 'no JSON \uFFFD at all']);
});

test('R5: an error that the client calls not retriable, such as a TypeError, does not end the consumer', async () => {
  const member = await startMember([
    recorder('notifications', ({ loginCount }) => {
      if (loginCount === 1) throw new TypeError('x is not a function');
    }),
  ]);
  await publishRun(harness, 'a', 3);
  await member.idle();
  expect(await effects()).toEqual({ a: [2, 3] });
  expect(await deadLetters()).toMatchObject([{ attempts: 5 }]);
});

/** Waits until this many events are pending in the outbox, since there is no broker. */
const untilPending = (count: number) =>
  vi.waitFor(
    async () => {
      const { outboxes } = (await members[0]?.bus().levels()) ?? {};
      expect(outboxes?.[0]?.waiting).toBeGreaterThanOrEqual(count);
    },
    { timeout: 20_000 },
  );

test('R6: the broker killed in the middle and back: all is handled once, in order', async () => {
  await startMember([recorder('notifications', () => systemClock.sleep(2))]);
  const keys = ['a', 'b', 'c'];
  await Promise.all(keys.map((key) => publishRun(harness, key, 50)));
  while ((await handled()) < 20) await systemClock.sleep(5);
  await kafka.kill();
  await Promise.all(keys.map((key) => publishRun(harness, key, 10, 51)));
  await untilPending(30);
  await kafka.restart();
  while ((await handled()) < 180) await systemClock.sleep(20);
  await members[0]?.idle();
  expect(await effects()).toEqual(Object.fromEntries(keys.map((key) => [key, upTo(60)])));
  expect(members[0]?.bus().healthy()).toBe(true);
}, 60_000);

test('R2: a bus starts without a broker; what was published is handled when there is one', async () => {
  await kafka.kill();
  const member = await startMember();
  await publishRun(harness, 'a', 3);
  expect(await effects()).toEqual({});
  await kafka.restart();
  await member.idle();
  expect(await effects()).toEqual({ a: upTo(3) });
}, 60_000);

test('a stop does not wait for an unavailable broker; what was in flight is sent by the next start', async () => {
  const first = await startMember();
  await publishOne(harness, 'a', 1);
  await first.idle();
  await kafka.kill();
  await publishOne(harness, 'a', 2);
  await untilPending(1);
  const before = performance.now();
  await first.stop();
  expect(performance.now() - before).toBeLessThan(8_000);
  await kafka.restart();
  const second = await startMember();
  await second.idle();
  expect(await effects()).toEqual({ a: [1, 2] });
}, 60_000);

test('R1, R2: a member killed while events flow, again and again: every effect once, in order', async () => {
  const keys = upTo(30).map((key) => `key-${key}`);
  await harness.database.transaction('billing', (tx) =>
    outbox.publishAll(
      tx,
      counted,
      keys.flatMap((userId) => upTo(20).map((loginCount) => ({ userId, loginCount }))),
    ),
  );
  const program = fileURLToPath(new URL('./kafka-member-process.ts', import.meta.url));
  const urls = [harness.database.urlFor('billing'), harness.database.urlFor('notifications')];
  for (let kills = 0; kills < 3; kills++) {
    const before = await handled();
    child = spawn(process.execPath, [program, kafka.brokers.join(), harness.topicPrefix, ...urls], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    while ((await handled()) < before + 40) await systemClock.sleep(5);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  expect(await handled()).toBeLessThan(600);
  const member = await startMember();
  await member.idle();
  expect(await effects()).toEqual(Object.fromEntries(keys.map((key) => [key, upTo(20)])));
}, 60_000);

test('a consumer that the broker refuses permanently notifies its host, which then exits', async () => {
  const fatal = await new Promise<Error>((resolve) => {
    void startKafkaBus({
      brokers: kafka.brokers,
      clientId: 'casewatch-test',
      topicPrefix: harness.topicPrefix,
      sessionTimeoutMs: 500,
      onFatal: resolve,
      logger: pino({ level: 'silent' }),
      clock: systemClock,
      sources: [],
      handlers: [recorder('notifications')],
      databaseUrlFor: harness.database.urlFor,
    }).then((bus) => members.push({ bus: () => bus, idle: async () => undefined, stop: bus.stop }));
  });
  expect(fatal.message).toMatch(/^Kafka refuses what the consumer is set to/);
  expect(fatal.cause).toMatchObject({ type: 'INVALID_SESSION_TIMEOUT' });
});

test('a handler that takes longer than a session keeps its partition: no other member gets its event', async () => {
  let begun = 0;
  const slow = () =>
    recorder('notifications', async ({ userId }) => {
      begun++;
      if (userId === 'slow') await systemClock.sleep(4_500);
    });
  const member = await startMember([slow()]);
  await startMember([slow()]);
  await publishOne(harness, 'slow', 1);
  await publishRun(harness, 'other', 5);
  await member.idle();
  expect(await effects()).toEqual({ slow: [1], other: upTo(5) });
  expect(begun).toBe(6);
});

/** Lets a minute and a half pass for a member, once its handler has begun to do `before` on its only event. */
async function afterNinetySeconds(before: () => Promise<void> | void) {
  const manual = createManualClock(Date.now());
  let observations = 0;
  const sleep: Clock['sleep'] = (ms, signal) => {
    if (ms === OBSERVE_EVERY_MS) observations += 1;
    return manual.sleep(ms, signal);
  };
  let isBegun = false;
  const begin = () => {
    isBegun = true;
    return before();
  };
  const member = await startMember([recorder('notifications', begin)], { clock: { ...manual, sleep } });
  await publishOne(harness, 'a', 1);
  const pass = async (steps: number) => {
    for (let step = 0; step < steps; step++) {
      const before = observations;
      await manual.advance(OBSERVE_EVERY_MS);
      // It has looked at the lag when it begins to wait for the next time.
      await vi.waitFor(() => expect(observations).toBeGreaterThan(before), { timeout: 10_000, interval: 5 });
    }
  };
  // The event reaches its handler in real time; the clock moves only as far as the relay's next poll needs.
  const reach = async () => {
    await manual.advance(5);
    expect(isBegun).toBe(true);
  };
  await vi.waitFor(reach, { timeout: 10_000, interval: 5 });
  await pass(3);
  expect(member.bus().healthy()).toBe(true);
  await pass(9);
  return { member, pass };
}

test('a member whose handler hangs is not healthy after a minute, and is again when it continues', async () => {
  const hangs = gate();
  const { member, pass } = await afterNinetySeconds(() => hangs.opened);
  expect(member.bus().healthy()).toBe(false);
  hangs.open();
  // The handler ends and its offset is committed in real time; the lag that shows it is read as the clock moves.
  await vi.waitFor(
    async () => {
      await pass(1);
      expect(member.bus().healthy()).toBe(true);
    },
    { timeout: 10_000, interval: 10 },
  );
});

test('a member whose handler finds its dependency unavailable stays healthy: a restart would not help', async () => {
  let tries = 0;
  const { member } = await afterNinetySeconds(() => {
    tries++;
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  });
  expect(member.bus().healthy()).toBe(true);
  expect(tries).toBeGreaterThan(5);
});

test('the levels report what is pending, and a stop takes no longer than its handlers', async () => {
  const member = await startMember();
  await publishRun(harness, 'a', 2);
  await member.idle();
  expect(await member.bus().levels()).toMatchObject({
    outboxes: [
      { service: 'billing', waiting: 0, ageMs: 0 },
      { service: 'surveys', waiting: 0 },
      { service: 'notifications', waiting: 0 },
    ],
    groups: [{ group: 'notifications', deadLetters: 0 }],
  });
  const before = performance.now();
  await member.bus().stop();
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('Node does not warn of negative timers', () => {
  expect(warnings.filter((warning) => warning.includes('TimeoutNegative'))).toEqual([]);
});
