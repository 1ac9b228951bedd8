import type { Writable } from 'node:stream';
import { STREAM_EVENTS } from '@casewatch/contracts/notifications';
import { AppError } from '@casewatch/platform/errors/app-error';
import type { Clock } from '@casewatch/platform/runtime/clock';
import type { Logger } from '@casewatch/platform/runtime/logger';
import { type ResumePoint, resumePoint } from '../domain/resume-point.ts';
import type { NumberedNotification, Store } from '../domain/store.ts';
import { createEventStream, type EventStream } from './event-stream.ts';

export interface StreamHubOptions {
  store: Pick<Store, 'lastSeq' | 'newerThan'>;
  clock: Clock;
  logger: Logger;
  maxLifeMs: number;
  heartbeatMs: number;
  maxPerUser: number;
  maxStreams: number;
}

interface Follower {
  readonly userId: string;
  readonly stream: EventStream;
  /** The newest that was sent. */
  seq: number;
  /** Silent since. */
  wroteAtMs: number;
  readonly endsAtMs: number;
  endedAtMs: number | undefined;
}

export type StreamHub = ReturnType<typeof createStreamHub>;

/** A client that lost its server comes back after 1 to 4 s, so that not all come at once. */
const RETRY_MS = { least: 1_000, spread: 3_000 };
/** After the planned end of a stream there is nothing to wait for. */
const RETRY_PLANNED_MS = 100;
/** A browser whose stream was taken by another one must not take it back at once, and so on for ever. */
const RETRY_REPLACED_MS = 60_000;
/** What the reader of an ended stream has to take the rest. */
const END_GRACE_MS = 5_000;
const USERS_AT_ONCE = 500;
const NOTIFICATIONS_AT_ONCE = 100;

/**
 * The streams that are open at this process. It sends what the database holds and nothing else: a push only says
 * for whom to look, so that a push that is lost, early or doubled costs nothing but time.
 */
export function createStreamHub(options: StreamHubOptions) {
  const { store, clock, logger, maxLifeMs } = options;
  const followers = new Map<string, Set<Follower>>();
  const toLookAt = new Set<string>();
  const toTryAgain = new Set<string>();
  let size = 0;
  let looking: Promise<void> | undefined;
  let stopped = false;

  function look(userIds: Iterable<string>): Promise<void> | undefined {
    for (const userId of userIds) if (followers.has(userId)) toLookAt.add(userId);
    if (toLookAt.size > 0 && !stopped) looking ??= lookAtAll();
    return looking;
  }

  async function lookAtAll(): Promise<void> {
    while (toLookAt.size > 0 && !stopped) {
      const userIds = [...toLookAt].slice(0, USERS_AT_ONCE);
      for (const userId of userIds) toLookAt.delete(userId);
      try {
        const news = await store.newerThan(positionsOf(userIds), NOTIFICATIONS_AT_ONCE);
        deliver(Map.groupBy(news, ({ notification }) => notification.userId));
      } catch (error) {
        logger.warn({ err: error, users: userIds.length }, 'could not look for notifications; trying again');
        for (const userId of userIds) toTryAgain.add(userId);
      }
    }
    // Not later: whoever asks to look from now on must find nobody looking.
    looking = undefined;
  }

  /** Where the hindmost stream of each user stands. */
  function positionsOf(userIds: readonly string[]): Map<string, number> {
    const positions = new Map<string, number>();
    for (const userId of userIds) {
      const open = [...(followers.get(userId) ?? [])].filter(({ stream }) => stream.open);
      const seqs = open.map(({ seq }) => seq);
      if (seqs.length > 0) positions.set(userId, Math.min(...seqs));
    }
    return positions;
  }

  function deliver(news: ReadonlyMap<string, NumberedNotification[]>): void {
    for (const [userId, items] of news) {
      for (const follower of followers.get(userId) ?? []) sendNewer(follower, items);
      if (items.length === NOTIFICATIONS_AT_ONCE) toLookAt.add(userId);
    }
  }

  function sendNewer(follower: Follower, items: readonly NumberedNotification[]): void {
    const newer = items.filter(({ seq }) => seq > follower.seq);
    const newest = newer.at(-1);
    if (!newest || !follower.stream.open) return;
    follower.seq = newest.seq;
    follower.wroteAtMs = clock.nowMs();
    follower.stream.send(
      newer.map(({ seq, notification }) => ({
        event: STREAM_EVENTS.notification,
        id: seq,
        data: notification,
      })),
    );
  }

  function end(follower: Follower, retryMs: number): void {
    if (follower.endedAtMs !== undefined) return;
    follower.endedAtMs = clock.nowMs();
    follower.stream.setRetryMs(retryMs);
    follower.stream.end();
  }

  function makeRoom(userId: string): void {
    const open = [...(followers.get(userId) ?? [])].filter(({ endedAtMs }) => endedAtMs === undefined);
    for (const oldest of open.slice(0, Math.max(0, open.length - options.maxPerUser + 1))) {
      oldest.stream.send([{ event: STREAM_EVENTS.replaced, data: {} }]);
      end(oldest, RETRY_REPLACED_MS);
    }
  }

  function forget(follower: Follower): void {
    const others = followers.get(follower.userId);
    if (!others?.delete(follower)) return;
    size--;
    if (others.size === 0) followers.delete(follower.userId);
  }

  return {
    /**
     * Where the user's stream is to begin. @throws AppError UNAVAILABLE when there are too many streams,
     * SIGNED_OUT when the user was deleted
     */
    async admit(userId: string, lastEventId: string | undefined): Promise<ResumePoint> {
      if (stopped || size >= options.maxStreams) {
        throw new AppError('UNAVAILABLE', 'Too many are connected right now. Please try again shortly.', {
          retryAfterSeconds: 30,
        });
      }
      const lastSeq = await store.lastSeq(userId);
      if (lastSeq === undefined) throw new AppError('SIGNED_OUT', 'Please sign in to continue.');
      return resumePoint(lastSeq, lastEventId);
    },

    /** Sends the user's notifications from `start` on to `out` until one side ends it. */
    add(userId: string, start: ResumePoint, out: Writable): void {
      const stream = createEventStream(out);
      if (!stream.open) return;
      if (stopped) {
        stream.end();
        return;
      }
      makeRoom(userId);
      const nowMs = clock.nowMs();
      const follower: Follower = {
        userId,
        stream,
        seq: start.seq,
        wroteAtMs: nowMs,
        // Streams that began together, after a restart, must not go on ending together.
        endsAtMs: nowMs + maxLifeMs * (0.8 + 0.2 * Math.random()),
        endedAtMs: undefined,
      };
      followers.set(userId, (followers.get(userId) ?? new Set()).add(follower));
      size++;
      out.once('close', () => forget(follower));
      // A reader that goes away in the middle of a write is no fault of ours.
      out.on('error', () => undefined);
      stream.setRetryMs(Math.round(RETRY_MS.least + RETRY_MS.spread * Math.random()));
      const first = start.reset ? STREAM_EVENTS.reset : STREAM_EVENTS.ready;
      stream.send([{ event: first, id: start.seq, data: {} }]);
      // What was committed since `admit` was pushed before anybody listened here.
      void look([userId]);
    },

    /** Whether the user has a stream here. */
    follows: (userId: string) => followers.has(userId),
    /** There may be something new for the user. Resolves when nothing is left to look for. */
    look: (userId: string) => look([userId]),
    /** There may be something new for anybody. */
    lookEverywhere: () => {
      void look(followers.keys());
    },

    /** Heartbeats, planned ends, and what failed before. To be called about every second. */
    upkeep(): void {
      const nowMs = clock.nowMs();
      for (const follower of [...followers.values()].flatMap((set) => [...set])) {
        if (follower.endedAtMs !== undefined) {
          if (nowMs >= follower.endedAtMs + END_GRACE_MS) follower.stream.cutOff();
        } else if (nowMs >= follower.endsAtMs) {
          end(follower, RETRY_PLANNED_MS);
        } else if (nowMs >= follower.wroteAtMs + options.heartbeatMs) {
          follower.wroteAtMs = nowMs;
          follower.stream.beat();
        }
      }
      const again = [...toTryAgain];
      toTryAgain.clear();
      void look(again);
    },

    size: () => size,

    /** Ends every stream and takes no more. */
    async stop(): Promise<void> {
      stopped = true;
      for (const set of followers.values()) for (const { stream } of set) stream.end();
      await looking;
    },
  };
}
