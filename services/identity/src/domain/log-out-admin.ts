import { adminActed } from '@casewatch/contracts/events';
import { addressPrefix } from '@casewatch/service-kit/http/limit-key';
import type { AdminArea } from './identity.ts';
import { PASSCODE_ADMIN } from './passcode.ts';
import { hashSid } from './session.ts';

/** Ends the admin session of this browser; without one, or with one that is over, nothing is left to do. */
export async function logOutAdmin(
  { store, clock }: AdminArea,
  { sid, address }: { sid: string | undefined; address: string },
): Promise<void> {
  if (!sid) return;
  await store.transaction(async ({ adminSessions, publish }) => {
    const ended = await adminSessions.end(hashSid(sid), clock.nowMs());
    if (!ended) return;
    const { id, administrator } = ended;
    const { name, role } = administrator ?? PASSCODE_ADMIN;
    await publish(adminActed, {
      action: 'session.closed',
      subject: 'session',
      success: true,
      sessionId: id,
      actor: name,
      role,
      ...(administrator ? { actorId: administrator.id } : {}),
      address: addressPrefix(address),
      details: {},
    });
  });
}
