import { userSessionsEnded } from '@casewatch/contracts/events';
import type { Work } from './store.ts';

/**
 * Ends every session of the account, the push messages to their devices and the passkey ceremonies in progress, and publishes
 * it. `keptSessionId`: whose devices keep their messages, since the caller continues that session under a new secret. The account
 * has to be locked: a sign-in or a device that is added at the same time comes before, and ends, or begins after.
 */
export async function endAllSessions(
  { sessions, deviceSessions, passkeys, publish }: Work,
  userId: string,
  keptSessionId?: string | undefined,
): Promise<void> {
  await sessions.endAllOf(userId);
  const deviceSessionIds = await deviceSessions.endAllOf(userId, keptSessionId);
  await passkeys.endChallengesOf({ userId });
  await publish(userSessionsEnded, { userId, deviceSessionIds });
}

/** Ends what a session that was just removed had granted, and publishes it. */
export async function endGrantsOf(
  { deviceSessions, publish }: Work,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  const hadDevices = await deviceSessions.end({ userId, sessionId });
  await publish(userSessionsEnded, { userId, deviceSessionIds: hadDevices ? [sessionId] : [] });
}

/**
 * Ends the session that a browser had, with what it had granted. `continuedBy`: the account that the browser signs in to; where
 * the session was already of that account it is continued under its id, which is returned, and its devices keep their messages.
 */
export async function endBrowserSession(
  work: Work,
  sidHash: string,
  continuedBy?: string | undefined,
): Promise<string | undefined> {
  const ended = await work.sessions.end(sidHash);
  if (!ended) return undefined;
  if (ended.userId === continuedBy) return ended.sessionId;
  await endGrantsOf(work, ended);
  return undefined;
}
