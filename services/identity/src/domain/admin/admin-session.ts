import { createHash, randomUUID } from 'node:crypto';
import { limitKey } from '@casewatch/service-kit/http/limit-key';
import { newSid, type SessionLifetime } from '../session/session.ts';

/** An admin session as it is stored. Times are milliseconds since the epoch. */
export interface AdminSession {
  sidHash: string;
  /** For the audit trail; opens nothing. */
  id: string;
  /** Of the passcode that opened it; null when an administrator did. */
  passcodeFingerprint: string | null;
  administratorId: string | null;
  networkHash: string;
  createdAtMs: number;
  /** When it ends if it is not used again; never after `endsAtMs`. */
  expiresAtMs: number;
  endsAtMs: number;
}

/** Opens a new session; returns it with the value of its cookie. */
export function openAdminSession(
  { address, ...by }: { address: string } & ({ passcodeFingerprint: string } | { administratorId: string }),
  nowMs: number,
  { idleMs, maximumMs }: SessionLifetime,
) {
  const { sid, sidHash } = newSid();
  const endsAtMs = nowMs + maximumMs;
  const session: AdminSession = {
    sidHash,
    id: randomUUID(),
    passcodeFingerprint: null,
    administratorId: null,
    ...by,
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
