import type { SessionItem } from '@casewatch/contracts/account-recovery';
import { userSessionsEnded } from '@casewatch/contracts/events';
import { AppError } from '@casewatch/service-kit/errors/app-error';
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
    device: browser?.device ?? null,
    network: browser?.network ?? null,
    createdAt: new Date(createdAtMs).toISOString(),
    lastSeenAt: new Date(lastSeenAtMs).toISOString(),
    isCurrent: sidHash === current,
  }));
}

/** Ends one session of the account, on whichever device. @throws AppError NOT_FOUND when it is over already */
export async function endSession(identity: Identity, userId: string, id: string): Promise<void> {
  await identity.store.transaction(async ({ sessions, publish }) => {
    if (!(await sessions.endById(userId, id))) {
      throw new AppError('NOT_FOUND', 'This device is logged out already.');
    }
    await publish(userSessionsEnded, { userId, sessionId: id });
  });
  identity.forgetSessions(userId);
}
