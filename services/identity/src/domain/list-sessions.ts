import type { SessionItem } from '@casewatch/contracts/account-recovery';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { endGrantsOf } from './end-sessions.ts';
import type { Identity } from './identity.ts';
import { hashSid } from './session.ts';

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
      throw new AppError('NOT_FOUND', 'This device is logged out already.');
    }
    await endGrantsOf(work, { userId, sessionId: id });
  });
  identity.forgetSessions(userId);
}
