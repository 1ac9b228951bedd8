import type { ResolvedSession } from '@casewatch/contracts/identity';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import { createMemoryInvalidation } from '@casewatch/shared-state/invalidation/invalidation';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createAdminSessions } from './admin-sessions.ts';
import { createSessions, sessionIdOf } from './sessions.ts';

const LONGEST = 's'.repeat(200);
const logger = pino({ level: 'silent' });

function start(cacheSeconds = 10) {
  const clock = createManualClock();
  const asked: string[] = [];
  const answers: ((session: ResolvedSession | null) => void)[] = [];
  let collect: (result: { observe: (...observed: unknown[]) => void }) => void = () => undefined;
  const counter = { addCallback: (callback: typeof collect) => (collect = callback) };
  const sessions = createSessions({
    resolve: (sid) => {
      asked.push(sid);
      return new Promise((resolve) => answers.push(resolve));
    },
    invalidation: createMemoryInvalidation(),
    clock,
    logger,
    // Only the part that is used of it.
    meter: { createObservableCounter: () => counter } as unknown as Meter,
    cacheSeconds,
  });
  const session = (userId: string): ResolvedSession => ({
    userId,
    sessionId: 'session',
    tier: 'free',
    name: 'Ada',
    expiresAt: new Date(clock.nowMs() + 3_600_000).toISOString(),
  });
  const counted = () => {
    const values: unknown[] = [];
    collect({ observe: (...observed) => values.push(observed) });
    return values;
  };
  return { clock, sessions, session, asked, answers, counted };
}

test('identity is not asked about what is too long for a session id of ours', async () => {
  const { sessions, session, asked, answers } = start();
  expect(await sessions.resolve(`${LONGEST}s`)).toBeNull();
  expect(asked).toEqual([]);
  const answer = sessions.resolve(LONGEST);
  expect(asked).toEqual([LONGEST]);
  answers[0]?.(session('ada'));
  expect(await answer).toEqual(session('ada'));
  expect(sessions.cached(LONGEST)).toEqual(session('ada'));

  const admins: string[] = [];
  const check = createAdminSessions({
    resolve: async (sid) => {
      admins.push(sid);
      return null;
    },
    cookieName: 'admin-sid',
    logger,
  });
  for (const sid of [LONGEST, `${LONGEST}s`]) {
    await expect(check(`admin-sid=${sid}`)).rejects.toMatchObject({ code: 'ADMIN_REQUIRED' });
  }
  expect(admins).toEqual([LONGEST]);
});

test('a request after a change does not wait for an answer that was asked for before it', async () => {
  const { sessions, session, asked, answers } = start();
  const before = sessions.resolve('a');
  sessions.forget({ sid: 'a' });
  const after = sessions.resolve('a');
  expect(asked).toEqual(['a', 'a']);
  answers[1]?.(null);
  expect(await after).toBeNull();
  answers[0]?.(session('ada'));
  expect(await before).toEqual(session('ada'));
  expect(sessions.cached('a')).toBeUndefined();
});

test('a session is in memory for as long as it is cached, and no moment longer; both are counted', async () => {
  const { clock, sessions, session, answers, counted } = start();
  const answer = sessions.resolve('a');
  answers[0]?.(session('ada'));
  await answer;
  await clock.advance(9_999);
  expect(sessions.cached('a')?.userId).toBe('ada');
  expect((await sessions.resolve('a'))?.userId).toBe('ada');
  await clock.advance(1);
  expect(sessions.cached('a')).toBeUndefined();
  expect(counted()).toEqual([
    [2, { from: 'cache' }],
    [1, { from: 'identity' }],
  ]);
});

test('a change to a user is passed on, and drops the sessions of no other', async () => {
  const { sessions, session, answers } = start();
  const resolved = Promise.all(['a', 'b'].map((sid) => sessions.resolve(sid)));
  answers[0]?.(session('ada'));
  answers[1]?.(session('bob'));
  await resolved;
  const heard: unknown[] = [];
  sessions.subscribe((what) => heard.push(what));
  sessions.forget({ userId: 'ada' });
  expect([sessions.cached('a'), sessions.cached('b')?.userId]).toEqual([undefined, 'bob']);
  expect(heard[0]).toEqual({ sessionKey: undefined, userId: 'ada' });
});

test('an empty session cookie is none', () => {
  expect(sessionIdOf('theme=dark; sid=', 'sid')).toBeUndefined();
  expect(sessionIdOf('theme=dark; sid=1', 'sid')).toBe('1');
  expect(sessionIdOf(undefined, 'sid')).toBeUndefined();
});
