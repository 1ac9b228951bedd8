import type { ResolvedAdminSession } from '@casewatch/contracts/admin-session';
import type { AdminArea } from './identity.ts';
import { hashSid } from './session.ts';

/**
 * Which admin session a cookie's value opens; undefined for one that is over, never was, or was opened with a
 * passcode that is not the present one. Counts as a use of it.
 */
export async function resolveAdminSession(
  { store, passcode, clock, lifetime }: AdminArea,
  sid: string,
): Promise<ResolvedAdminSession | undefined> {
  if (!passcode) return undefined;
  const nowMs = clock.nowMs();
  const sessionId = await store.adminSessions.use(hashSid(sid), {
    passcodeFingerprint: passcode.fingerprint,
    nowMs,
    expiresAtMs: nowMs + lifetime.idleMs,
  });
  return sessionId === undefined ? undefined : { sessionId };
}
