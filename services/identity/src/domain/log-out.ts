import type { Identity } from './identity.ts';
import { hashSid } from './session.ts';

/** Ends the session of this browser; without one, or with one that is over, nothing is left to do. */
export async function logOut({ store }: Identity, sid: string | undefined): Promise<void> {
  if (sid) await store.sessions.end(hashSid(sid));
}
