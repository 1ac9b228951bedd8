import type { DeviceSessions } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';

/** Ten devices at most have a session each; what is older belongs to sessions that expired long ago. */
const MAX_PER_USER = 100;

/** Sessions with push devices in the table `device_sessions`, inside or outside of a transaction. */
export function deviceSessionsOf(db: Prisma.TransactionClient): DeviceSessions {
  return {
    async grant({ userId, sessionId }, nowMs) {
      const now = new Date(nowMs);
      // Locks the session: whatever ends it waits, and then finds the grant.
      const granted = await db.$executeRaw`
        INSERT INTO device_sessions (session_id, user_id, granted_at)
        SELECT id, user_id, ${now} FROM sessions
        WHERE user_id = ${userId}::uuid AND id = ${sessionId}::uuid AND expires_at > ${now} FOR SHARE
        ON CONFLICT (session_id) DO UPDATE SET granted_at = excluded.granted_at`;
      await db.$executeRaw`
        DELETE FROM device_sessions WHERE session_id IN (
          SELECT session_id FROM device_sessions WHERE user_id = ${userId}::uuid
          ORDER BY granted_at DESC, session_id OFFSET ${MAX_PER_USER})`;
      return granted === 1;
    },
    async isGranted({ userId, sessionId }) {
      return (await db.deviceSession.findFirst({ where: { userId, sessionId } })) !== null;
    },
    async end({ userId, sessionId }) {
      return (await db.deviceSession.deleteMany({ where: { userId, sessionId } })).count > 0;
    },
    async endAllOf(userId, keptSessionId) {
      const rows = await db.$queryRaw<{ session_id: string }[]>`
        DELETE FROM device_sessions
        WHERE user_id = ${userId}::uuid AND session_id IS DISTINCT FROM ${keptSessionId ?? null}::uuid
        RETURNING session_id`;
      return rows.map(({ session_id: sessionId }) => sessionId);
    },
  };
}
