import { type Admin, Kafka, logLevel } from 'kafkajs';
import { expect, test } from 'vitest';
import { createKafkaAdmin } from './kafka-admin.ts';

/** A client whose administrative connections reach no broker and write down what happens to them. */
class ClientWithoutBroker extends Kafka {
  readonly steps: string[] = [];
  isDown = false;
  made = 0;

  constructor() {
    super({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING });
  }

  override admin(): Admin {
    this.made += 1;
    const name = this.made;
    return Object.assign(super.admin(), {
      connect: async () => {
        if (this.isDown) throw new Error('no broker');
        this.steps.push(`connect ${name}`);
      },
      disconnect: async () => {
        this.steps.push(`disconnect ${name}`);
        if (this.isDown) throw new Error('no broker');
      },
      listTopics: async () => [`of ${name}`],
    });
  }
}

const list = (on: Admin) => on.listTopics();
const fail = () => Promise.reject(new Error('refused'));

test('a connection is opened when it is first needed, shared, and closed in the end', async () => {
  const kafka = new ClientWithoutBroker();
  const admin = createKafkaAdmin(kafka);
  expect(kafka.steps).toEqual([]);
  expect(await Promise.all([admin.use(list), admin.use(list)])).toEqual([['of 1'], ['of 1']]);
  await admin.disconnect();
  await admin.disconnect();
  expect(kafka.steps).toEqual(['connect 1', 'disconnect 1']);
  expect(await admin.use(list)).toEqual(['of 2']);
});

test('after a failure the connection is closed, and the next call opens another', async () => {
  const kafka = new ClientWithoutBroker();
  const admin = createKafkaAdmin(kafka);
  await expect(admin.use(fail)).rejects.toThrow('refused');
  expect(await admin.use(list)).toEqual(['of 2']);
  expect(kafka.steps).toEqual(['connect 1', 'disconnect 1', 'connect 2']);
});

test('of calls that fail on one connection only the first closes it: that of the next call stays', async () => {
  const kafka = new ClientWithoutBroker();
  const admin = createKafkaAdmin(kafka);
  const late = Promise.withResolvers<never>();
  const failing = admin.use(() => late.promise);
  await expect(admin.use(fail)).rejects.toThrow('refused');
  expect(await admin.use(list)).toEqual(['of 2']);
  late.reject(new Error('refused later'));
  await expect(failing).rejects.toThrow('refused later');
  expect(await admin.use(list)).toEqual(['of 2']);
  expect(kafka.steps).toEqual(['connect 1', 'disconnect 1', 'connect 2']);
});

test('a broker that is down fails the call, not the end; when it is back, calls reach it', async () => {
  const kafka = new ClientWithoutBroker();
  kafka.isDown = true;
  const admin = createKafkaAdmin(kafka);
  const failing = expect(admin.use(list)).rejects.toThrow('no broker');
  await admin.disconnect();
  await failing;
  kafka.isDown = false;
  expect(await admin.use(list)).toEqual(['of 2']);
  kafka.isDown = true;
  await admin.disconnect();
  expect(kafka.steps).toEqual(['connect 2', 'disconnect 2']);
});
