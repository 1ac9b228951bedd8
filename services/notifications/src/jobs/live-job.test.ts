import type { SignalListener } from '@casewatch/messaging/live/live-signal';
import { noTracing, type SpanSpec } from '@casewatch/service-kit/telemetry/tracing';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { casesKey } from '../domain/live-key.ts';
import { createLiveJob } from './live-job.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A hub with a stream of Ada, and what is asked of it. */
function createJob({ isTracing = false } = {}) {
  const clock = createManualClock();
  const done: string[] = [];
  const spans: SpanSpec[] = [];
  let listener: SignalListener | undefined;
  const job = createLiveJob({
    signal: {
      publish: async () => undefined,
      committed: () => undefined,
      listen: (its) => {
        listener = its;
        return {
          stop: async () => {
            await new Promise((resolve) => setImmediate(resolve));
            done.push('stopped listening');
          },
        };
      },
    },
    hub: {
      has: (userId) => userId === 'ada',
      fetchFor: async (userId) => void done.push(`fetch for ${userId}`),
      fetchForAll: () => void done.push('fetch for all'),
      casesChanged: (userId) => void done.push(`cases of ${userId}`),
      maintain: () => void done.push('maintain'),
    },
    clock,
    logger: pino({ level: 'silent' }),
    tracing: {
      ...noTracing,
      on: isTracing,
      inSpan: (span, work) => {
        spans.push(span);
        return work();
      },
    },
  });
  /** What is done by this. */
  const by = async (act: (listener: SignalListener) => unknown) => {
    done.length = 0;
    if (!listener) throw new Error('nothing listens');
    await act(listener);
    return [...done];
  };
  job.start();
  return { job, clock, spans, by };
}

test('a push about notifications brings what is new to the streams of its user', async () => {
  const { job, by, spans } = createJob();
  expect(await by(({ onKey }) => onKey('ada'))).toEqual(['fetch for ada']);
  expect(await by(({ onKey }) => onKey('ada', TRACEPARENT))).toEqual(['fetch for ada']);
  expect(spans).toEqual([]);
  await job.stop();
});

test('a push about saved cases is for the streams alone', async () => {
  const { job, by } = createJob();
  expect(await by(({ onKey }) => onKey(casesKey('ada')))).toEqual(['cases of ada']);
  await job.stop();
});

test('pushes may have been missed: every stream gets what is new', async () => {
  const { job, by } = createJob();
  expect(await by(({ onGap }) => onGap())).toEqual(['fetch for all']);
  await job.stop();
});

test('the trace of the publisher goes on where its user has a stream', async () => {
  const { job, by, spans } = createJob({ isTracing: true });
  expect(await by(({ onKey }) => onKey('bob', TRACEPARENT))).toEqual(['fetch for bob']);
  await by(({ onKey }) => onKey('ada'));
  expect(spans).toEqual([]);
  expect(await by(({ onKey }) => onKey('ada', TRACEPARENT))).toEqual(['fetch for ada']);
  expect(spans).toEqual([{ name: 'push notifications', kind: 'internal', parent: TRACEPARENT }]);
  await job.stop();
});

test('streams are maintained every second until the stop, which ends the listening too', async () => {
  const { job, clock, by } = createJob();
  expect(await by(() => clock.advance(0))).toEqual([]);
  expect(await by(() => clock.advance(999))).toEqual([]);
  expect(await by(() => clock.advance(1))).toEqual(['maintain']);
  expect(await by(() => clock.advance(3_000))).toEqual(['maintain', 'maintain', 'maintain']);
  expect(await by(() => job.stop())).toEqual(['stopped listening']);
  expect(await by(() => clock.advance(3_000))).toEqual([]);
});
