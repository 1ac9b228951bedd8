import { createSignal } from '@casewatch/service-kit/runtime/signal';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStory, NO_DEMONSTRATIONS, pass, person, RULE } from '../../test/caller-fixture.ts';
import { createAgencyBreaker } from './breaker.ts';
import type { CallerSession } from './caller-session.ts';
import { startCaller } from './start-caller.ts';

/** That of the fixture's first caller. */
const STORY_EPOCH = 100;

/** Starts a process that becomes the caller and may call after `beginInMs`; `did` records what it does. */
function becomeCaller(beginInMs: number, { pauseMs = 0, story = createStory() } = {}) {
  const did: string[] = [];
  const { queue, cases } = story;
  const lost = new AbortController();
  const begun = Promise.withResolvers<void>();
  const sessions: CallerSession[] = [
    {
      epoch: STORY_EPOCH,
      pause: { leftMs: pauseMs, inARow: 1, quotaSpentMs: 0 },
      get beginInMs() {
        begun.resolve();
        return beginInMs;
      },
      lost: lost.signal,
      isProven: () => true,
      nowMs: () => Date.now(),
      nextCallNumber: () => 1n,
      storePause: async () => undefined,
      hasStandBy: async () => false,
      leave: async () => void did.push('left'),
      close: async () => void did.push('closed'),
    },
  ];
  const clock = {
    nowMs: () => Date.now(),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  };
  const ledger = {
    read: async () => ({ calls: 0, monitorCalls: 0, ofUsers: new Map() }),
    add: async () => undefined,
  };
  const weights = { free: 1, pro: 4 };
  const caller = startCaller(
    {
      queue,
      cases,
      clock,
      weights,
      rule: RULE,
      breaker: createAgencyBreaker(3_000, clock),
      calls: {
        ...NO_DEMONSTRATIONS,
        token: async () => ({ token: 'token' }),
        call: () => {
          did.push('called');
          return Promise.reject(new Error('no answer'));
        },
        stop: async () => undefined,
      },
      metrics: { waited: () => undefined, refused: () => undefined, became: () => undefined },
      ended: { notify: () => undefined },
      joined: createSignal(),
      logger: pino({ level: 'silent' }),
      tracing: noTracing,
      fresh: { freshMs: 60_000, notRecognizedMs: 60_000 },
      timeoutMs: 1_500,
      directDatabaseUrl: '',
      schema: 'cases',
      name: 'here',
      day: { callsPerDay: 100, monitoringShare: 0.5, weights, ledger },
    },
    async () => sessions.shift(),
  );
  return { caller, did, begun: begun.promise };
}

async function stopAtOnce(beginInMs: number): Promise<string[]> {
  const { caller, did, begun } = becomeCaller(beginInMs);
  await begun;
  await caller.stop();
  return did;
}

test('a process that stops hands over at once', async () => {
  expect(await stopAtOnce(0)).toEqual(['left', 'closed', 'closed']);
});

test('R9: one that stops while the calls of a lost caller may still arrive leaves that wait to the next', async () => {
  expect(await stopAtOnce(60_000)).toEqual(['closed']);
});

test('a pause of a lost caller ends when it would have, whatever its successor has to wait for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const story = createStory();
  story.join('EAC9999103403', person('ada'), 60_000);
  const { caller, did } = becomeCaller(3_000, { pauseMs: 5_000, story });
  await pass(4_900);
  expect(did).toEqual([]);
  await pass(300);
  expect(did).toEqual(['called']);
  void caller.stop();
  await pass(10_000);
});
