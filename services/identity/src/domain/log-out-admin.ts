import { adminActed } from '@casewatch/contracts/events';
import type { AdminArea } from './identity.ts';
import { hashSid } from './session.ts';

/** Ends the admin session of this browser; without one, or with one that is over, nothing is left to do. */
export async function logOutAdmin(
  { store, clock }: AdminArea,
  { sid, address }: { sid: string | undefined; address: string },
): Promise<void> {
  if (!sid) return;
  await store.transaction(async ({ adminSessions, publish }) => {
    const sessionId = await adminSessions.end(hashSid(sid), clock.nowMs());
    if (!sessionId) return;
    await publish(adminActed, {
      action: 'session.closed',
      subject: 'session',
      success: true,
      sessionId,
      address,
      details: {},
    });
  });
}
