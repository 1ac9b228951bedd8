import type { ResolvedSession } from '@casewatch/contracts/identity';
import type { Identity } from './identity.ts';
import { hashSid, refreshSession } from './session.ts';

/** Returns the owner of a cookie's session; undefined for an expired or unknown one. Counts as a use of it. */
export async function resolveSession(
  { store, clock, lifetime }: Identity,
  sid: string,
): Promise<ResolvedSession | undefined> {
  const nowMs = clock.nowMs();
  const found = await store.sessions.find(hashSid(sid), nowMs);
  if (!found) return undefined;
  const refreshed = refreshSession(found.session, nowMs, lifetime);
  if (refreshed) await store.sessions.refresh(refreshed);
  const { userId, expiresAtMs } = refreshed ?? found.session;
  return {
    userId,
    sessionId: found.id,
    tier: found.owner.tier,
    name: found.owner.firstName,
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}
