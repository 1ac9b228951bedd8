import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Browser } from './device.ts';

/** A session as it is stored: never the cookie's value, only its hash. Times are milliseconds since the epoch. */
export interface Session {
  sidHash: string;
  /** What its owner calls it by; opens nothing. */
  id: string;
  browser: Browser;
  userId: string;
  createdAtMs: number;
  lastSeenAtMs: number;
  /** When it ends if it is not used again; never after `endsAtMs`. */
  expiresAtMs: number;
  /** When it ends however much it is used. */
  endsAtMs: number;
}

/** What a use of a session reads and writes. */
export type SessionTimes = Omit<Session, 'id' | 'browser'>;

export interface SessionLifetime {
  idleMs: number;
  maximumMs: number;
}

/** Use is written down at most this often, so that a session in use costs one write a minute. */
const REFRESH_EVERY_MS = 60_000;
const SID_BYTES = 32;

/** Opens a new session; returns it with the value of its cookie: 256 random bits, known to the browser alone. With an `id` it continues an ended one. */
export function openSession(
  { userId, browser, id = randomUUID() }: Pick<Session, 'userId' | 'browser'> & { id?: string | undefined },
  nowMs: number,
  { idleMs, maximumMs }: SessionLifetime,
) {
  const { sid, sidHash } = newSid();
  const endsAtMs = nowMs + maximumMs;
  const session: Session = {
    sidHash,
    id,
    browser,
    userId,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    expiresAtMs: Math.min(nowMs + idleMs, endsAtMs),
    endsAtMs,
  };
  return { sid, session };
}

/** Returns a cookie's value and what is stored of it. */
export function newSid(): { sid: string; sidHash: string } {
  const sid = randomBytes(SID_BYTES).toString('base64url');
  return { sid, sidHash: hashSid(sid) };
}

/** Returns what a use at `nowMs` makes of the session; undefined when it is too soon to write that down. */
export function refreshSession(session: SessionTimes, nowMs: number, { idleMs }: SessionLifetime) {
  if (nowMs - session.lastSeenAtMs < REFRESH_EVERY_MS) return undefined;
  return { ...session, lastSeenAtMs: nowMs, expiresAtMs: Math.min(nowMs + idleMs, session.endsAtMs) };
}

/** Returns the SHA-256 in hex. The id has 256 random bits, so a fast hash without salt is enough. */
export function hashSid(sid: string): string {
  return createHash('sha256').update(sid).digest('hex');
}
