import type { SessionItem } from '@casewatch/contracts/account-recovery';
import type { ResolvedSession } from '@casewatch/contracts/identity';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Identity } from '../identity.ts';
import { endGrantsOf } from './end-sessions.ts';
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

/** Returns the account's sessions that are not over, the most recently used first, and which one asks. */
export async function listSessions(
  { store, clock }: Identity,
  userId: string,
  sid: string | undefined,
): Promise<SessionItem[]> {
  const current = sid === undefined ? undefined : hashSid(sid);
  const sessions = await store.sessions.listOf(userId, clock.nowMs());
  return sessions.map(({ id, sidHash, browser, createdAtMs, lastSeenAtMs }) => ({
    id,
    ...browser,
    createdAt: new Date(createdAtMs).toISOString(),
    lastSeenAt: new Date(lastSeenAtMs).toISOString(),
    isCurrent: sidHash === current,
  }));
}

/** Ends one session of the account, on whichever device. @throws AppError NOT_FOUND when it is over already */
export async function endSession(identity: Identity, userId: string, id: string): Promise<void> {
  await identity.store.transaction(async (work) => {
    // A sign-in in the same browser, or a new password, continues the session in another row, which is then there to be found.
    await work.accounts.lock(userId);
    if (!(await work.sessions.endById(userId, id))) {
      throw new AppError('NOT_FOUND', 'device-signed-out');
    }
    await endGrantsOf(work, { userId, sessionId: id });
  });
  identity.forgetSessions(userId);
}

interface Session {
  userId: string;
  sessionId: string;
}

/** Lets push messages go to a device of the session until something ends it. False for a session that is over. */
export function grantDeviceSession({ store, clock }: Identity, session: Session): Promise<boolean> {
  return store.transaction(async ({ accounts, deviceSessions }) => {
    // A password change continues the session in another row: locked, the account has the one or the other.
    if (!(await accounts.lock(session.userId))) return false;
    return deviceSessions.grant(session, clock.nowMs());
  });
}
