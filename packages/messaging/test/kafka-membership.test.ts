import { createManualClock } from '@casewatch/testing/manual-clock';
import { type Consumer, Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { keepKafkaMembership } from '../src/kafka/kafka-membership.ts';

/** A client whose consumers reach no broker and write down when they begin to run and when they leave. */
class ClientWithoutBroker extends Kafka {
  readonly steps: string[] = [];

  override consumer(...config: Parameters<Kafka['consumer']>): Consumer {
    const step = (name: string) => async () => void this.steps.push(name);
    return Object.assign(super.consumer(...config), {
      connect: step('connect'),
      subscribe: step('subscribe'),
      run: step('run'),
      disconnect: step('leave'),
    });
  }
}

test('a member that stops leaves its group after the last offsets are committed, not before', async () => {
  const kafka = new ClientWithoutBroker({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING });
  const stopping = new AbortController();
  const lastCommit = Promise.withResolvers<void>();
  const membership = keepKafkaMembership({
    kafka,
    groupId: 'casewatch',
    topicNames: ['case-observed'],
    topics: { ensure: async () => undefined, forget: () => undefined },
    sessionTimeoutMs: 6_000,
    refusedPatienceMs: 60_000,
    clock: createManualClock(),
    logger: pino({ level: 'silent' }),
    stopping: stopping.signal,
    onJoin: () => undefined,
    onBatch: async () => undefined,
    beforeLeaving: async () => {
      kafka.steps.push('commit begins');
      await lastCommit.promise;
      kafka.steps.push('commit ends');
    },
    onFatal: (error) => expect.unreachable(error.message),
  });
  await expect.poll(() => kafka.steps).toContain('run');
  stopping.abort(new Error('stopped'));
  await expect.poll(() => kafka.steps).toContain('commit begins');
  lastCommit.resolve();
  await membership;
  expect(kafka.steps).toEqual(['connect', 'subscribe', 'run', 'commit begins', 'commit ends', 'leave']);
});
