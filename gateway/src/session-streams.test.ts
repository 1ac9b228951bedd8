import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ResolvedSession } from '@casewatch/contracts/identity';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { SessionStreams } from './session-streams.ts';
import { type Sessions, sessionKeyOf } from './sessions.ts';

type Listener = Parameters<Sessions['subscribe']>[0];

class Stream extends EventEmitter {
  headersSent = true;
  ended = false;
  destroyed = false;
  end() {
    this.ended = true;
  }
  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

/** Streams of sessions that last a day, and what identity was asked about them. */
function start({ resolve }: { resolve?: (sid: string) => Promise<ResolvedSession | null> } = {}) {
  const clock = createManualClock();
  const session: ResolvedSession = {
    userId: 'ada',
    sessionId: 'session',
    tier: 'free',
    name: 'Ada',
    expiresAt: new Date(clock.nowMs() + 86_400_000).toISOString(),
  };
  const asked: string[] = [];
  const invalidation = { isSubscribed: true };
  let announce: Listener = () => undefined;
  const streams = new SessionStreams({
    clock,
    sessions: {
      resolve: (sid) => {
        asked.push(sid);
        return resolve ? resolve(sid) : Promise.resolve(session);
      },
      subscribe: (listener) => {
        announce = listener;
      },
      isSubscribed: () => invalidation.isSubscribed,
    },
  });
  const open = (sid: string) => {
    const stream = new Stream();
    // Only the parts that are used of it.
    streams.add(sid, session, stream as unknown as ServerResponse);
    return stream;
  };
  return {
    clock,
    asked,
    streams,
    invalidation,
    session,
    open,
    announce: (what: Parameters<Listener>[0]) => announce(what),
  };
}

test('while the ends of sessions are missed, each session with a stream is checked every minute', async () => {
  let over = false;
  const { clock, asked, open, invalidation, session } = start({
    resolve: () => Promise.resolve(over ? null : session),
  });
  const stream = open('a');
  await clock.advance(0);
  invalidation.isSubscribed = false;
  over = true;
  await clock.advance(61_000);
  expect(asked).toHaveLength(2);
  expect(stream.ended).toBe(true);
});

test('a session with a stream is checked every quarter of an hour, also after the clock was set back', async () => {
  let over = false;
  const { clock, asked, open, session } = start({ resolve: () => Promise.resolve(over ? null : session) });
  const stream = open('a');
  await clock.advance(0);
  over = true;
  await clock.jump(-3_600_000);
  await clock.advance(902_000);
  expect(asked).toHaveLength(2);
  expect(stream.ended).toBe(true);
});

test('a session with a stream is checked when the stream opens, and then once in each 7.5 to 15 minutes', async () => {
  const { clock, asked, open } = start();
  open('a');
  await clock.advance(0);
  for (let checks = 1; checks < 4; checks += 1) {
    await clock.jump(7.4 * 60_000);
    expect(asked).toHaveLength(checks);
    await clock.jump(7.6 * 60_000);
    await clock.jump(2_000);
    expect(asked).toHaveLength(checks + 1);
  }
});

test('after a gap every session is checked, no more than 20 at a time', async () => {
  const pending: (() => void)[] = [];
  const { clock, asked, open, session, announce } = start({
    resolve: () => new Promise((resolve) => pending.push(() => resolve(session))),
  });
  for (let n = 0; n < 50; n += 1) open(`s${n}`);
  const answerAll = async () => {
    while (pending.length > 0) {
      expect(pending.length).toBeLessThanOrEqual(20);
      for (const answer of pending.splice(0)) answer();
      await clock.advance(0);
    }
  };
  expect(pending).toHaveLength(20);
  await answerAll();
  expect(asked).toHaveLength(50);
  announce('all');
  expect(pending).toHaveLength(20);
  await answerAll();
  expect(new Set(asked.slice(50))).toEqual(new Set(asked.slice(0, 50)));
  expect(asked).toHaveLength(100);
});

test('a session is not asked about once its last stream has closed', async () => {
  const { clock, asked, open, announce } = start();
  const [first, second] = [open('a'), open('a')];
  await clock.advance(0);
  first.emit('close');
  asked.length = 0;
  announce({ sessionKey: sessionKeyOf('a') });
  expect(asked).toEqual(['a']);
  await clock.advance(0);
  second.emit('close');
  announce({ sessionKey: sessionKeyOf('a') });
  announce({ userId: 'ada' });
  announce('all');
  await clock.advance(60 * 60_000);
  expect(asked).toEqual(['a']);
});

test('streams that open after all others have closed are watched over again', async () => {
  const { clock, asked, open } = start();
  open('a').emit('close');
  await clock.advance(5_000);
  open('b');
  await clock.advance(0);
  await clock.jump(15 * 60_000);
  expect(asked).toEqual(['a', 'b', 'b']);
});

test('a stream whose answer has not begun is broken off at the end of its session, others are ended', async () => {
  const { clock, open } = start({ resolve: () => Promise.resolve(null) });
  const [begun, waiting] = [open('a'), open('b')];
  waiting.headersSent = false;
  await clock.advance(0);
  expect([begun.ended, begun.destroyed, waiting.ended, waiting.destroyed]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  await clock.advance(1_000);
  expect(begun.destroyed).toBe(true);
});

test('after a stop no session is checked any more', async () => {
  const { clock, asked, streams, open } = start();
  open('a');
  await clock.advance(0);
  streams.stop();
  await clock.advance(0);
  await clock.jump(60 * 60_000);
  expect(asked).toEqual(['a']);
});
