import { createSignal } from '@casewatch/service-kit/runtime/signal';
import { noTracing } from '@casewatch/service-kit/telemetry/tracing';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createStory, RULE } from '../../test/caller-fixture.ts';
import { createAgencyBreaker } from './breaker.ts';
import type { CallerSession } from './caller-session.ts';
import { startCaller } from './start-caller.ts';

/** A process becomes the caller and is stopped at once; resolves to what it did with its session. */
async function stopAtOnce(beginInMs: number): Promise<string[]> {
  const did: string[] = [];
  const { queue, cases } = createStory();
  const lost = new AbortController();
  const begun = Promise.withResolvers<void>();
  const sessions: CallerSession[] = [
    {
      epoch: 7,
      pause: { leftMs: 0, inARow: 0, quotaSpentMs: 0 },
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
  const clock = { nowMs: () => Date.now(), sleep: () => Promise.resolve() };
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
        token: async () => ({ token: 'token' }),
        call: () => Promise.reject(new Error('no call is made')),
        stop: async () => undefined,
      },
      metrics: { waited: () => undefined, refused: () => undefined, became: () => undefined },
      ended: { notify: () => undefined },
      joined: createSignal(),
      logger: pino({ level: 'silent' }),
      tracing: noTracing,
      fresh: { freshMs: 60_000, notRecognisedMs: 60_000 },
      timeoutMs: 1_500,
      directDatabaseUrl: '',
      schema: 'cases',
      name: 'here',
      day: { callsPerDay: 100, monitoringShare: 0.5, weights, ledger },
    },
    async () => sessions.shift(),
  );
  await begun.promise;
  await caller.stop();
  return did;
}

test('a process that stops hands over at once', async () => {
  expect(await stopAtOnce(0)).toEqual(['left', 'closed', 'closed']);
});

test('R9: one that stops while the calls of a lost caller may still arrive leaves that wait to the next', async () => {
  expect(await stopAtOnce(60_000)).toEqual(['closed']);
});
