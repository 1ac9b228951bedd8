import { createHash, randomUUID } from 'node:crypto';
import { limitKey } from '@casewatch/service-kit/http/limit-key';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { AdminThrottle } from './admin-throttle.ts';
import type { Passcode } from './passcode.ts';
import { newSid, type SessionLifetime } from './session.ts';
import type { Store } from './store.ts';

/** An admin session as it is stored. Times are milliseconds since the epoch. */
export interface AdminSession {
  sidHash: string;
  /** For the audit trail; opens nothing. */
  id: string;
  passcodeFingerprint: string;
  networkHash: string;
  createdAtMs: number;
  /** When it ends if it is not used again; never after `endsAtMs`. */
  expiresAtMs: number;
  endsAtMs: number;
}

/** A new session and the value of its cookie. */
export function openAdminSession(
  { passcodeFingerprint, address }: { passcodeFingerprint: string; address: string },
  nowMs: number,
  { idleMs, maximumMs }: SessionLifetime,
) {
  const { sid, sidHash } = newSid();
  const endsAtMs = nowMs + maximumMs;
  const session: AdminSession = {
    sidHash,
    id: randomUUID(),
    passcodeFingerprint,
    networkHash: networkHash(address),
    createdAtMs: nowMs,
    expiresAtMs: Math.min(nowMs + idleMs, endsAtMs),
    endsAtMs,
  };
  return { sid, session };
}

/** Hashes the address, or the network of an IPv6 one: administrators' addresses are confidential. */
export function networkHash(address: string): string {
  return createHash('sha256').update(limitKey(address)).digest('hex');
}

/** The dependencies of the use cases of the admin session. */
export interface AdminArea {
  readonly store: Store;
  /** Undefined: the area is off. */
  readonly passcode: Passcode | undefined;
  readonly throttle: AdminThrottle;
  readonly clock: Clock;
  readonly lifetime: SessionLifetime;
}
