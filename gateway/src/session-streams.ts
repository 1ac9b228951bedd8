import type { ServerResponse } from 'node:http';
import type { ResolvedSession } from '@casewatch/contracts/identity';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import { type Sessions, sessionKeyOf } from './sessions.ts';

type WatchedSessions = Pick<Sessions, 'resolve' | 'subscribe' | 'isSubscribed'>;

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
/** How often a session with streams is checked, in case the message about its end was lost. */
const CHECK_EVERY_MS = 900_000;
/** And how often while the subscription is down: its streams get what is new from the database all the time. */
const CHECK_UNSUBSCRIBED_MS = 60_000;
/** After a gap in the invalidations every session with a stream is checked: not all at once. */
const MAX_CHECKS = 20;

/**
 * Keeps the streams that this gateway carries by their session, and ends them when it is over: signed out here or through
 * another gateway, expired, or deleted with its account. A session is checked with identity when something about it may
 * have changed, when it would expire, and every quarter of an hour, or every minute while invalidations are missed; a stream
 * whose session is still valid stays open. While identity is unavailable the check is retried every second.
 */
export class SessionStreams {
  readonly #sessions: WatchedSessions;
  readonly #clock: Clock;
  readonly #time: () => number;
  readonly #open = new Map<string, OpenSession>();
  readonly #toCheck = new Set<string>();
  readonly #toRetry = new Set<string>();
  readonly #stopping = new AbortController();
  #checks = 0;
  #sweeping = false;

  constructor({ sessions, clock }: { sessions: WatchedSessions; clock: Clock }) {
    this.#sessions = sessions;
    this.#clock = clock;
    this.#time = steadyTime(clock);
    sessions.subscribe((what) => {
      const open = this.#open;
      if (what === 'all') return this.#check(open.keys());
      const { sessionKey, userId } = what;
      if (sessionKey !== undefined) this.#check([sessionKey]);
      if (userId !== undefined)
        this.#check([...open.keys()].filter((key) => open.get(key)?.userId === userId));
    });
  }

  /** Ends the stream once its session is over. To be called before the answer begins. */
  add(sid: string, { userId, expiresAt }: ResolvedSession, stream: ServerResponse): void {
    const open = this.#open;
    const key = sessionKeyOf(sid);
    const session = open.get(key) ?? {
      sid,
      userId,
      streams: new Set(),
      expiresAtMs: Date.parse(expiresAt),
      checkAtMs: this.#nextCheckMs(),
      over: false,
    };
    open.set(key, session);
    session.streams.add(stream);
    stream.on('close', () => {
      session.streams.delete(stream);
      if (session.streams.size === 0 && open.get(key) === session) open.delete(key);
    });
    if (!this.#sweeping) void this.#sweepWhileOpen();
    // It may have ended since it was resolved for this request; otherwise the answer comes from memory.
    this.#check([key]);
  }

  /** Stops watching over the streams; does not end them. */
  stop(): void {
    this.#stopping.abort();
  }

  #check(keys: Iterable<string>): void {
    for (const key of keys) this.#toCheck.add(key);
    for (let n = Math.min(this.#toCheck.size, MAX_CHECKS - this.#checks); n > 0; n -= 1) {
      void this.#checkQueued();
    }
  }

  async #checkQueued(): Promise<void> {
    this.#checks += 1;
    for (const key of this.#toCheck) {
      this.#toCheck.delete(key);
      await this.#checkSession(key);
    }
    this.#checks -= 1;
  }

  async #checkSession(key: string): Promise<void> {
    const session = this.#open.get(key);
    if (!session) return;
    session.checkAtMs = this.#nextCheckMs();
    try {
      const resolved = await this.#sessions.resolve(session.sid);
      if (resolved) session.expiresAtMs = Date.parse(resolved.expiresAt);
      else end(session);
    } catch {
      this.#toRetry.add(key);
    }
  }

  /** Spread, so that sessions whose streams began together are not checked together. */
  #nextCheckMs(): number {
    const everyMs = this.#sessions.isSubscribed() ? CHECK_EVERY_MS : CHECK_UNSUBSCRIBED_MS;
    return this.#time() + everyMs * (0.5 + 0.5 * Math.random());
  }

  async #sweepWhileOpen(): Promise<void> {
    const { signal } = this.#stopping;
    this.#sweeping = true;
    while (this.#open.size > 0 && !signal.aborted) {
      await this.#clock.sleep(SWEEP_MS, signal).catch(() => undefined);
      this.#sweep();
    }
    this.#sweeping = false;
  }

  #sweep(): void {
    const nowMs = this.#clock.nowMs();
    const checkMs = this.#time();
    const due = [...this.#toRetry];
    this.#toRetry.clear();
    const isSubscribed = this.#sessions.isSubscribed();
    for (const [key, session] of this.#open) {
      if (!isSubscribed) session.checkAtMs = Math.min(session.checkAtMs, this.#nextCheckMs());
      // A reader that has not taken the end by now does not get more time.
      if (session.over) for (const stream of session.streams) stream.destroy();
      else if (nowMs >= session.expiresAtMs || checkMs >= session.checkAtMs) due.push(key);
    }
    this.#check(due);
  }
}

function end(session: OpenSession): void {
  session.over = true;
  for (const stream of session.streams) {
    // An answer that has not begun would look like an empty one.
    if (stream.headersSent) stream.end();
    else stream.destroy();
  }
}
