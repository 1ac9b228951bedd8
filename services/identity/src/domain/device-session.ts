import type { Identity } from './identity.ts';

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
