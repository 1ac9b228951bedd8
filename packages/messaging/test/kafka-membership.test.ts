import { createManualClock } from '@casewatch/testing/manual-clock';
import { type Consumer, type ConsumerConfig, Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { keepKafkaMembership } from '../src/kafka/kafka-membership.ts';

/** A client whose consumers reach no broker and write down when they begin to run and when they leave. */
class ClientWithoutBroker extends Kafka {
  readonly steps: string[] = [];
  /** What consumers were set to, in the order of their steps. */
  readonly settings: unknown[] = [];

  override consumer(config: ConsumerConfig): Consumer {
    this.settings.push(config);
    const step = (name: string) => async (options?: unknown) => {
      this.steps.push(name);
      if (options !== undefined) this.settings.push(options);
    };
    return Object.assign(super.consumer(config), {
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
  expect(kafka.settings).toEqual([
    {
      groupId: 'casewatch',
      allowAutoTopicCreation: false,
      sessionTimeout: 6_000,
      heartbeatInterval: 600,
      maxWaitTimeInMs: 100,
      maxBytesPerPartition: 262_144,
      retry: { restartOnFailure: expect.any(Function) },
    },
    { topics: ['case-observed'], fromBeginning: true },
    { autoCommit: false, eachBatchAutoResolve: false, eachBatch: expect.any(Function) },
  ]);
});

const REFUSED = Object.assign(new Error('not allowed'), { type: 'GROUP_AUTHORIZATION_FAILED' });
const WRONG_SETTING = Object.assign(new Error('too short'), { type: 'INVALID_SESSION_TIMEOUT' });

/** A member whose topics can't be had, for one reason after the other, a second apart by its clock. Resolves to how it ended. */
async function joinRefused(reasons: Error[], setBackMs = 0) {
  const stopping = new AbortController();
  const fatal: Error[] = [];
  const forgotten: string[] = [];
  const kafka = new ClientWithoutBroker({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING });
  let nowMs = 0;
  let tries = 0;
  await keepKafkaMembership({
    kafka,
    groupId: 'casewatch',
    topicNames: ['case-observed'],
    topics: {
      ensure: async () => {
        const reason = reasons[tries++];
        if (!reason) stopping.abort(new Error('stopped'));
        throw reason;
      },
      forget: (names) => void forgotten.push(...names),
    },
    sessionTimeoutMs: 6_000,
    refusedPatienceMs: 3_000,
    clock: {
      nowMs: () => nowMs,
      sleep: async () => {
        nowMs += 1_000;
        if (tries === 1) nowMs -= setBackMs;
      },
    },
    logger: pino({ level: 'silent' }),
    stopping: stopping.signal,
    onJoin: () => undefined,
    onBatch: async () => undefined,
    beforeLeaving: async () => undefined,
    onFatal: (error) => fatal.push(error),
  });
  return { tries, fatal, forgotten };
}

test('a refusal is fatal when it has lasted for the patience, and says what to do', async () => {
  const { tries, fatal, forgotten } = await joinRefused(Array.from({ length: 9 }, () => REFUSED));
  expect(tries).toBe(4);
  expect(fatal).toEqual([expect.objectContaining({ cause: REFUSED })]);
  expect(fatal[0]?.message).toContain('Kafka does not allow this user what it needs');
  expect(forgotten).toEqual(['case-observed', 'case-observed', 'case-observed']);
});

test('a clock that is set back gives a refusal little more time', async () => {
  const { tries, fatal } = await joinRefused(
    Array.from({ length: 9 }, () => REFUSED),
    3_600_000,
  );
  expect([tries, fatal]).toEqual([5, [expect.objectContaining({ cause: REFUSED })]]);
});

test('a refusal that another failure comes between lasts anew, and other failures never are fatal', async () => {
  const unavailable = new Error('no broker');
  const reasons = [REFUSED, REFUSED, REFUSED, unavailable, REFUSED, REFUSED, REFUSED];
  const { tries, fatal } = await joinRefused([...reasons, ...Array.from({ length: 9 }, () => unavailable)]);
  expect([tries, fatal]).toEqual([17, []]);
});

test('a wrong setting is fatal at once', async () => {
  const { tries, fatal } = await joinRefused([WRONG_SETTING]);
  expect([tries, fatal]).toEqual([1, [expect.objectContaining({ cause: WRONG_SETTING })]]);
});

/** A client whose consumers reach no broker: each joins its group, stays as long as `stay` takes, and crashes. */
class CrashingClient extends Kafka {
  stay: () => void = () => undefined;

  override consumer(...config: Parameters<Kafka['consumer']>): Consumer {
    const listeners = new Map<string, (event: unknown) => void>();
    const consumer = super.consumer(...config);
    const nothing = async () => undefined;
    return Object.assign(consumer, {
      connect: nothing,
      subscribe: nothing,
      disconnect: nothing,
      on: (name: string, listener: (event: unknown) => void) => void listeners.set(name, listener),
      run: async () => {
        listeners.get(consumer.events.GROUP_JOIN)?.({ payload: { memberAssignment: {} } });
        this.stay();
        listeners.get(consumer.events.CRASH)?.({ payload: { error: new Error('crashed') } });
      },
    });
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('a member that crashes again and again waits longer each time, and briefly again after a longer stay in its group', async () => {
  // The jitter in its middle.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const staysMs = [0, 0, 0, 0, 0, 0, 5_000, 5_001, 0];
  const pausesMs: number[] = [];
  const stopping = new AbortController();
  const unheard = vi.spyOn(stopping.signal, 'removeEventListener');
  let nowMs = 0;
  const kafka = new CrashingClient({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING });
  kafka.stay = () => {
    nowMs += staysMs[pausesMs.length] ?? 0;
  };
  await keepKafkaMembership({
    kafka,
    groupId: 'casewatch',
    topicNames: ['case-observed'],
    topics: { ensure: async () => undefined, forget: () => undefined },
    sessionTimeoutMs: 6_000,
    refusedPatienceMs: 60_000,
    clock: {
      nowMs: () => nowMs,
      sleep: async (ms) => {
        pausesMs.push(ms);
        if (pausesMs.length === staysMs.length) stopping.abort(new Error('stopped'));
      },
    },
    logger: pino({ level: 'silent' }),
    stopping: stopping.signal,
    onJoin: () => undefined,
    onBatch: async () => undefined,
    beforeLeaving: async () => undefined,
    onFatal: (error) => expect.unreachable(error.message),
  });
  expect(pausesMs).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 250, 500]);
  // No member that has left waits for the stop.
  expect(unheard).toHaveBeenCalledTimes(staysMs.length);
});
