import type { ResolvedAdminSession } from '@casewatch/contracts/admin-session';
import type { AdminArea } from './identity.ts';
import { PASSCODE_ADMIN } from './passcode.ts';
import { hashSid } from './session.ts';

/**
 * Which admin session a cookie's value opens, with the administrator's role as it is now; undefined for one that is
 * over, never was, or was opened with a passcode that is not the present one. Counts as a use of it.
 */
export async function resolveAdminSession(
  { store, passcode, clock, lifetime }: AdminArea,
  sid: string,
): Promise<ResolvedAdminSession | undefined> {
  const nowMs = clock.nowMs();
  const used = await store.adminSessions.use(hashSid(sid), {
    passcodeFingerprint: passcode?.fingerprint,
    nowMs,
    expiresAtMs: nowMs + lifetime.idleMs,
  });
  if (!used) return undefined;
  const { id, administrator } = used;
  const { name, role } = administrator ?? PASSCODE_ADMIN;
  return { sessionId: id, name, role, administratorId: administrator?.id ?? null };
}
