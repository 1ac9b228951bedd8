import type { ServerResponse } from 'node:http';
import type { ResolvedSession } from '@casewatch/contracts/identity';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import { type Sessions, sessionKeyOf } from './sessions.ts';

export type SessionStreams = ReturnType<typeof createSessionStreams>;

interface OpenSession {
  readonly sid: string;
  readonly userId: string;
  readonly streams: Set<ServerResponse>;
  expiresAtMs: number;
  /** By the time that measures. */
  checkAtMs: number;
  over: boolean;
}

const SWEEP_MS = 1_000;
/** A session with streams is checked so often, in case that its end was not heard of. */
const CHECK_EVERY_MS = 900_000;
/** And so often while ends are missed: its streams get what is new from the database all the time. */
const CHECK_UNSUBSCRIBED_MS = 60_000;
/** After a gap in the invalidations every session with a stream is checked: not all at once. */
const MAX_CHECKS = 20;

/**
 * Keeps the streams that this gateway carries by their session, and ends them when it is over: signed out here or through
 * another gateway, expired, or deleted with its account. A session is checked with identity when something about it may
 * have changed, when it would expire, and every quarter of an hour, or every minute while invalidations are missed; a stream
 * whose session is still valid stays open. While identity is unavailable the check is retried every second.
 */
export function createSessionStreams({
  sessions,
  clock,
}: {
  sessions: Pick<Sessions, 'resolve' | 'subscribe' | 'isSubscribed'>;
  clock: Clock;
}) {
  const time = steadyTime(clock);
  const open = new Map<string, OpenSession>();
  const toCheck = new Set<string>();
  const toRetry = new Set<string>();
  const stopping = new AbortController();
  let checks = 0;
  let sweeping = false;

  function check(keys: Iterable<string>): void {
    for (const key of keys) toCheck.add(key);
    for (let n = Math.min(toCheck.size, MAX_CHECKS - checks); n > 0; n -= 1) void checkQueued();
  }

  async function checkQueued(): Promise<void> {
    checks += 1;
    for (const key of toCheck) {
      toCheck.delete(key);
      await checkSession(key);
    }
    checks -= 1;
  }

  async function checkSession(key: string): Promise<void> {
    const session = open.get(key);
    if (!session) return;
    session.checkAtMs = nextCheckMs();
    try {
      const resolved = await sessions.resolve(session.sid);
      if (resolved) session.expiresAtMs = Date.parse(resolved.expiresAt);
      else end(session);
    } catch {
      toRetry.add(key);
    }
  }

  /** Spread, so that sessions whose streams began together are not checked together. */
  function nextCheckMs(): number {
    const everyMs = sessions.isSubscribed() ? CHECK_EVERY_MS : CHECK_UNSUBSCRIBED_MS;
    return time() + everyMs * (0.5 + 0.5 * Math.random());
  }

  function end(session: OpenSession): void {
    session.over = true;
    for (const stream of session.streams) {
      // An answer that has not begun would look like an empty one.
      if (stream.headersSent) stream.end();
      else stream.destroy();
    }
  }

  async function sweepWhileOpen(): Promise<void> {
    sweeping = true;
    while (open.size > 0 && !stopping.signal.aborted) {
      await clock.sleep(SWEEP_MS, stopping.signal).catch(() => undefined);
      sweep();
    }
    sweeping = false;
  }

  function sweep(): void {
    const nowMs = clock.nowMs();
    const checkMs = time();
    const due = [...toRetry];
    toRetry.clear();
    const isSubscribed = sessions.isSubscribed();
    for (const [key, session] of open) {
      if (!isSubscribed) session.checkAtMs = Math.min(session.checkAtMs, nextCheckMs());
      // A reader that has not taken the end by now does not get more time.
      if (session.over) for (const stream of session.streams) stream.destroy();
      else if (nowMs >= session.expiresAtMs || checkMs >= session.checkAtMs) due.push(key);
    }
    check(due);
  }

  sessions.subscribe((what) => {
    if (what === 'all') return check(open.keys());
    const { sessionKey, userId } = what;
    if (sessionKey !== undefined) check([sessionKey]);
    if (userId !== undefined) check([...open.keys()].filter((key) => open.get(key)?.userId === userId));
  });

  return {
    /** Ends the stream once its session is over. To be called before the answer begins. */
    add(sid: string, { userId, expiresAt }: ResolvedSession, stream: ServerResponse): void {
      const key = sessionKeyOf(sid);
      const session = open.get(key) ?? {
        sid,
        userId,
        streams: new Set(),
        expiresAtMs: Date.parse(expiresAt),
        checkAtMs: nextCheckMs(),
        over: false,
      };
      open.set(key, session);
      session.streams.add(stream);
      stream.on('close', () => {
        session.streams.delete(stream);
        if (session.streams.size === 0 && open.get(key) === session) open.delete(key);
      });
      if (!sweeping) void sweepWhileOpen();
      // It may have ended since it was resolved for this request; otherwise the answer comes from memory.
      check([key]);
    },
    /** Stops watching over the streams; does not end them. */
    stop: () => stopping.abort(),
  };
}
