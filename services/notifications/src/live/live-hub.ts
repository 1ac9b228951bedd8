import type { Writable } from 'node:stream';
import { STREAM_EVENTS } from '@casewatch/contracts/notifications';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { isUnavailable } from '@casewatch/service-kit/errors/unavailable';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createThrottledWarning } from '@casewatch/service-kit/runtime/outage-log';
import { steadyTime } from '@casewatch/service-kit/runtime/steady-time';
import { type ResumePoint, resumePoint } from '../domain/resume-point.ts';
import type { NumberedNotification, Store } from '../domain/store.ts';
import { EventStream } from './event-stream.ts';

export interface LiveHubOptions {
  store: Pick<Store, 'lastSeq' | 'newerThan'>;
  clock: Clock;
  logger: Logger;
  maxLifeMs: number;
  heartbeatMs: number;
  maxPerUser: number;
  maxStreams: number;
}

interface Subscriber {
  readonly userId: string;
  readonly stream: EventStream;
  /** Number of the newest notification that was sent. */
  seq: number;
  wroteAtMs: number;
  readonly endsAtMs: number;
  endedAtMs: number | undefined;
}

/** A client that lost its server reconnects after 1 to 4 s, so that not all do at once. */
const RETRY_MS = { least: 1_000, spread: 3_000 };
/** After the planned end of a stream there is no reason to wait. */
const RETRY_PLANNED_MS = 100;
/** A browser whose stream was replaced by another's must not replace that one at once, and so on. */
const RETRY_REPLACED_MS = 60_000;
/** A process that is full asks to come back later, at random. */
const RETRY_FULL_MS = { least: 15_000, spread: 15_000 };
/** How long the reader of an ended stream may take for the rest. */
const END_GRACE_MS = 5_000;
const USERS_AT_ONCE = 500;
const NOTIFICATIONS_AT_ONCE = 100;

/**
 * Keeps the open streams of this process. Notifications are what the database holds and nothing else: a signal only names
 * the user whose notifications to fetch, so that a lost, early or repeated signal costs nothing but time. That the saved cases
 * have changed is delivered at most once: a browser that misses it shows them as they were until it reads them again.
 */
export class LiveHub {
  readonly #options: LiveHubOptions;
  readonly #time: () => number;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #toFetch = new Set<string>();
  readonly #toRetry = new Set<string>();
  readonly #warnUnavailable: (error: unknown) => void;
  #size = 0;
  #fetching: Promise<void> | undefined;
  #stopped = false;

  constructor(options: LiveHubOptions) {
    this.#options = options;
    this.#time = steadyTime(options.clock);
    this.#warnUnavailable = createThrottledWarning(
      options.logger,
      'stream hub: database unavailable, streams are asked to come back later',
    );
  }

  /**
   * Returns where the user's stream begins; undefined when there are too many streams, or while the database is
   * unavailable. @throws AppError SIGNED_OUT when the user was deleted
   */
  async admit(userId: string, lastEventId: string | undefined): Promise<ResumePoint | undefined> {
    if (this.#stopped || this.#size >= this.#options.maxStreams) return undefined;
    try {
      const lastSeq = await this.#options.store.lastSeq(userId);
      if (lastSeq === undefined) throw new AppError('SIGNED_OUT');
      return resumePoint(lastSeq, lastEventId);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#warnUnavailable(error);
      return undefined;
    }
  }

  /** Ends a stream that was not admitted. The answer is 200: an EventSource never reconnects after another status. */
  reject(out: Writable): void {
    const stream = new EventStream(out);
    stream.setRetryMs(randomOf(RETRY_FULL_MS));
    stream.end();
  }

  /** Sends the user's notifications from `start` on to `out` until one side ends it. */
  add(userId: string, start: ResumePoint, out: Writable): void {
    const stream = new EventStream(out);
    if (!stream.open) return;
    if (this.#stopped) {
      stream.end();
      return;
    }
    this.#makeRoom(userId);
    const nowMs = this.#time();
    const subscriber: Subscriber = {
      userId,
      stream,
      seq: start.seq,
      wroteAtMs: nowMs,
      // Streams that began together, after a restart, must not keep ending together.
      endsAtMs: nowMs + this.#options.maxLifeMs * (0.5 + 0.5 * Math.random()),
      endedAtMs: undefined,
    };
    this.#subscribers.set(userId, (this.#subscribers.get(userId) ?? new Set()).add(subscriber));
    this.#size++;
    out.on('close', () => this.#forget(subscriber));
    // A reader that leaves in the middle of a write is not an error.
    out.on('error', () => undefined);
    stream.setRetryMs(randomOf(RETRY_MS));
    const first = start.reset ? STREAM_EVENTS.reset : STREAM_EVENTS.ready;
    stream.send([{ event: first, id: start.seq, data: {} }]);
    // What was committed since `admit` was pushed before this stream was known here.
    void this.#fetchNewer([userId]);
  }

  /** Whether the user has a stream here. */
  has(userId: string): boolean {
    return this.#subscribers.has(userId);
  }

  /** Sends what is new for the user. Resolves when nothing is left to fetch. */
  fetchFor(userId: string): Promise<void> | undefined {
    return this.#fetchNewer([userId]);
  }

  /** Notifies the user's streams that the saved cases are others now. */
  casesChanged(userId: string): void {
    for (const subscriber of this.#subscribers.get(userId) ?? []) {
      subscriber.wroteAtMs = this.#time();
      // Without an id: a stream resumes after a notification.
      subscriber.stream.send([{ event: STREAM_EVENTS.casesChanged, data: {} }]);
    }
  }

  /** Sends what is new for any user. */
  fetchForAll(): void {
    void this.#fetchNewer(this.#subscribers.keys());
  }

  /** Sends heartbeats, ends streams that are due, and retries. To be called about every second. */
  maintain(): void {
    const nowMs = this.#time();
    for (const ofUser of this.#subscribers.values())
      for (const subscriber of ofUser) this.#keepAlive(subscriber, nowMs);
    const due = [...this.#toRetry];
    this.#toRetry.clear();
    void this.#fetchNewer(due);
  }

  size(): number {
    return this.#size;
  }

  /** Ends every stream and takes no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const set of this.#subscribers.values()) for (const { stream } of set) stream.end();
    await this.#fetching;
  }

  #fetchNewer(userIds: Iterable<string>): Promise<void> | undefined {
    for (const userId of userIds) if (this.#subscribers.has(userId)) this.#toFetch.add(userId);
    if (this.#toFetch.size > 0 && !this.#stopped) this.#fetching ??= this.#fetchAll();
    return this.#fetching;
  }

  async #fetchAll(): Promise<void> {
    while (this.#toFetch.size > 0 && !this.#stopped) {
      const userIds = [...this.#toFetch].slice(0, USERS_AT_ONCE);
      for (const userId of userIds) this.#toFetch.delete(userId);
      try {
        const positions = this.#positionsOf(userIds);
        const newer = await this.#options.store.newerThan(positions, NOTIFICATIONS_AT_ONCE);
        this.#deliver(
          Map.groupBy(newer, ({ notification }) => notification.userId),
          positions,
        );
      } catch (error) {
        this.#options.logger.warn(
          { err: error, users: userIds.length },
          'stream hub: notifications not fetched, will retry',
        );
        for (const userId of userIds) this.#toRetry.add(userId);
      }
    }
    // Not later: a call from now on has to start a new run.
    this.#fetching = undefined;
  }

  /** The lowest position among the streams of each user. */
  #positionsOf(userIds: readonly string[]): Map<string, number> {
    const positions = new Map<string, number>();
    for (const userId of userIds) {
      const open = [...(this.#subscribers.get(userId) ?? [])].filter(({ stream }) => stream.open);
      const seqs = open.map(({ seq }) => seq);
      if (seqs.length > 0) positions.set(userId, Math.min(...seqs));
    }
    return positions;
  }

  #deliver(newer: ReadonlyMap<string, NumberedNotification[]>, positions: ReadonlyMap<string, number>): void {
    for (const [userId, items] of newer) {
      const after = positions.get(userId) ?? 0;
      for (const subscriber of this.#subscribers.get(userId) ?? []) {
        // A stream that began further back during the query has missed more than this: it has a query of its own.
        if (subscriber.seq >= after) this.#sendNewer(subscriber, items);
      }
      if (items.length === NOTIFICATIONS_AT_ONCE) this.#toFetch.add(userId);
    }
  }

  #sendNewer(subscriber: Subscriber, items: readonly NumberedNotification[]): void {
    const newer = items.filter(({ seq }) => seq > subscriber.seq);
    const newest = newer.at(-1);
    if (!newest || !subscriber.stream.open) return;
    subscriber.seq = newest.seq;
    subscriber.wroteAtMs = this.#time();
    subscriber.stream.send(
      newer.map(({ seq, notification }) => ({
        event: STREAM_EVENTS.notification,
        id: seq,
        data: notification,
      })),
    );
  }

  #end(subscriber: Subscriber, retryMs: number): void {
    if (subscriber.endedAtMs !== undefined) return;
    subscriber.endedAtMs = this.#time();
    subscriber.stream.setRetryMs(retryMs);
    subscriber.stream.end();
  }

  #keepAlive(subscriber: Subscriber, nowMs: number): void {
    if (subscriber.endedAtMs !== undefined) {
      if (nowMs >= subscriber.endedAtMs + END_GRACE_MS) subscriber.stream.cutOff();
    } else if (nowMs >= subscriber.endsAtMs) {
      this.#end(subscriber, RETRY_PLANNED_MS);
    } else if (nowMs >= subscriber.wroteAtMs + this.#options.heartbeatMs) {
      subscriber.wroteAtMs = nowMs;
      subscriber.stream.beat();
    }
  }

  #makeRoom(userId: string): void {
    const open = [...(this.#subscribers.get(userId) ?? [])].filter(
      ({ endedAtMs }) => endedAtMs === undefined,
    );
    for (const oldest of open.slice(0, Math.max(0, open.length - this.#options.maxPerUser + 1))) {
      oldest.stream.send([{ event: STREAM_EVENTS.replaced, data: {} }]);
      this.#end(oldest, RETRY_REPLACED_MS);
    }
  }

  #forget(subscriber: Subscriber): void {
    const others = this.#subscribers.get(subscriber.userId);
    if (!others?.delete(subscriber)) return;
    this.#size--;
    if (others.size === 0) this.#subscribers.delete(subscriber.userId);
  }
}

function randomOf({ least, spread }: { least: number; spread: number }): number {
  return Math.round(least + spread * Math.random());
}
