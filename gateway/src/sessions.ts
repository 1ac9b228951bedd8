import { hash } from 'node:crypto';
import type { ResolvedSession } from '@casewatch/contracts/identity';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { createRecentCache } from '@casewatch/service-kit/runtime/recent-cache';
import type { Meter } from '@casewatch/service-kit/telemetry/telemetry';
import type { Invalidation, Stale } from '@casewatch/shared-state/invalidation/invalidation';
import { parseCookie } from 'cookie';

/** Asks identity whose session it is; null for a session that does not exist or has ended. */
export type SessionResolver = (sid: string) => Promise<ResolvedSession | null>;

export interface Sessions {
  /** Returns whose session it is if that is in memory; without a promise, which every request would pay for. */
  cached(sid: string): ResolvedSession | undefined;
  /**
   * Returns whose session it is, from memory for a short while. Concurrent requests ask identity once.
   * @throws AppError UNAVAILABLE when identity is unavailable: not knowing is not the same as signed out.
   */
  resolve(sid: string): Promise<ResolvedSession | null>;
  /**
   * Forgets one session, and every session of a user, at once here and within milliseconds in every other gateway. Answers
   * of identity that are pending are not kept either.
   */
  forget(what: { sid?: string | undefined; userId?: string | undefined }): void;
  /** Calls the listener with what may have changed, here or through another gateway; `all` after a gap in such messages. */
  subscribe(listener: (what: Stale | 'all') => void): void;
  /** False while the ends of sessions may be missed here. */
  isSubscribed(): boolean;
}

export interface SessionsOptions {
  resolve: SessionResolver;
  invalidation: Invalidation;
  clock: Clock;
  logger: Logger;
  meter: Meter;
  cacheSeconds: number;
}

const MAX_ENTRIES = 50_000;
/** Session ids have about 43 characters; a longer cookie is not ours, and identity is not asked. */
export const MAX_SID_LENGTH = 200;
const RETRY_AFTER_SECONDS = 2;

export function createSessions({
  resolve,
  invalidation,
  clock,
  logger,
  meter,
  cacheSeconds,
}: SessionsOptions): Sessions {
  const known = createRecentCache<{ session: ResolvedSession; untilMs: number }>({
    max: MAX_ENTRIES,
    keepMs: cacheSeconds * 1000,
  });
  const asked = new Map<string, Promise<ResolvedSession | null>>();
  const listeners: ((what: Stale | 'all') => void)[] = [];
  let changes = 0;
  // Counted here and read when metrics are collected: recording each costs more than looking the session up.
  const resolved = { cache: 0, identity: 0 };
  meter
    .createObservableCounter('casewatch_sessions_resolved_total', {
      description:
        'Sessions looked up by where the answer came from: the memory of the gateway, or identity.',
    })
    .addCallback((result) => {
      result.observe(resolved.cache, { from: 'cache' });
      result.observe(resolved.identity, { from: 'identity' });
    });

  function ask(sid: string, key: string): Promise<ResolvedSession | null> {
    const changesBefore = changes;
    const answer = resolveOrUnavailable(resolve, sid, logger)
      .then((session) => {
        // Without invalidation messages a cached session could outlive its end.
        if (session && changes === changesBefore && invalidation.isSubscribed()) {
          const untilMs = Math.min(clock.nowMs() + cacheSeconds * 1000, Date.parse(session.expiresAt));
          known.set(key, { session, untilMs });
        }
        return session;
      })
      .finally(() => {
        if (asked.get(key) === answer) asked.delete(key);
      });
    asked.set(key, answer);
    return answer;
  }

  function drop({ sessionKey, userId }: Stale): void {
    changes += 1;
    asked.clear();
    if (sessionKey !== undefined) known.delete(sessionKey);
    if (userId === undefined) return;
    for (const [key, { session }] of known.entries()) if (session.userId === userId) known.delete(key);
  }

  function notify(what: Stale | 'all'): void {
    for (const listener of listeners) listener(what);
  }

  invalidation.subscribe({
    onStale: (what) => {
      drop(what);
      notify(what);
    },
    onGap: () => {
      drop({});
      known.clear();
      // Reported at its beginning, at each attempt to reconnect, and at its end, which is when asking identity helps.
      if (invalidation.isSubscribed()) notify('all');
    },
  });

  function remembered(key: string): ResolvedSession | undefined {
    const entry = known.get(key);
    if (!entry || clock.nowMs() >= entry.untilMs) return undefined;
    resolved.cache += 1;
    return entry.session;
  }

  return {
    cached: (sid) => remembered(sessionKeyOf(sid)),
    async resolve(sid) {
      if (sid.length > MAX_SID_LENGTH) return null;
      const key = sessionKeyOf(sid);
      const session = remembered(key);
      if (session) return session;
      resolved.identity += 1;
      return asked.get(key) ?? ask(sid, key);
    },
    forget({ sid, userId }) {
      const what = { sessionKey: sid === undefined ? undefined : sessionKeyOf(sid), userId };
      drop(what);
      notify(what);
      invalidation.publish(what);
    },
    subscribe: (listener) => listeners.push(listener),
    isSubscribed: () => invalidation.isSubscribed(),
  };
}

/** Returns the session id that the request carries. */
export function sessionIdOf(cookieHeader: string | undefined, cookieName: string): string | undefined {
  if (!cookieHeader?.includes(cookieName)) return undefined;
  return parseCookie(cookieHeader)[cookieName] || undefined;
}

/** Returns the hash under which a session is remembered and invalidated: what is published opens no session. */
export function sessionKeyOf(sid: string): string {
  return hash('sha256', sid, 'base64');
}

/** @throws AppError UNAVAILABLE, or the one that identity answered */
export async function resolveOrUnavailable<Session>(
  resolve: (sid: string) => Promise<Session | null>,
  sid: string,
  logger: Logger,
): Promise<Session | null> {
  try {
    return await resolve(sid);
  } catch (error) {
    logger.warn({ err: error }, 'gateway: identity unavailable, session not resolved');
    if (error instanceof AppError) throw error;
    throw new AppError('UNAVAILABLE', 'sign-in-unchecked', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
}
