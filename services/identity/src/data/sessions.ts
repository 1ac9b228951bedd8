import type { Session } from '../domain/session/session.ts';
import type { DeviceSessions, Sessions } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';
import type { SessionModel, UserModel } from '../generated/models.ts';
import { tierOf } from './accounts.ts';

type Times = Pick<SessionModel, 'createdAt' | 'lastSeenAt' | 'expiresAt' | 'endsAt'>;
type SessionOwnerRow = Times &
  Pick<SessionModel, 'id' | 'userId'> &
  Pick<UserModel, 'firstName' | 'lastName' | 'tier'>;

/** Sessions in the table `sessions`, inside or outside of a transaction. */
export function sessionsOf(db: Prisma.TransactionClient): Sessions {
  return {
    async add(session) {
      await db.session.create({ data: toRow(session) });
    },
    async find(sidHash, nowMs) {
      // The gateway asks this for every session it has not cached: one statement instead of Prisma's two.
      const rows = await db.$queryRaw<SessionOwnerRow[]>`
        SELECT s.id, s.user_id AS "userId", s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt",
          s.expires_at AS "expiresAt", s.ends_at AS "endsAt", u.first_name AS "firstName", u.last_name AS "lastName", u.tier
        FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.sid_hash = ${sidHash} AND s.expires_at > ${new Date(nowMs)}`;
      const row = rows[0];
      if (!row) return undefined;
      const { id, userId, firstName, lastName, tier } = row;
      return {
        id,
        session: { sidHash, userId, ...toTimes(row) },
        owner: { firstName, lastName, tier: tierOf(tier) },
      };
    },
    async refresh({ sidHash, lastSeenAtMs, expiresAtMs }) {
      const lastSeenAt = new Date(lastSeenAtMs);
      await db.session.updateMany({
        // Of concurrent uses, the latest wins.
        where: { sidHash, lastSeenAt: { lt: lastSeenAt } },
        data: { lastSeenAt, expiresAt: new Date(expiresAtMs) },
      });
    },
    async isLive({ userId, sessionId: id }, nowMs) {
      const where = { userId, id, expiresAt: { gt: new Date(nowMs) } };
      return (await db.session.findFirst({ where, select: { id: true } })) !== null;
    },
    async end(sidHash) {
      const rows = await db.$queryRaw<{ id: string; user_id: string }[]>`
        DELETE FROM sessions WHERE sid_hash = ${sidHash} RETURNING id, user_id`;
      const [row] = rows;
      return row ? { userId: row.user_id, sessionId: row.id } : undefined;
    },
    async endAllOf(userId) {
      await db.session.deleteMany({ where: { userId } });
    },
    async listOf(userId, nowMs) {
      const rows = await db.session.findMany({
        where: { userId, expiresAt: { gt: new Date(nowMs) } },
        orderBy: { lastSeenAt: 'desc' },
      });
      return rows.map(toSession);
    },
    async endById(userId, id) {
      return (await db.session.deleteMany({ where: { userId, id } })).count > 0;
    },
    removeExpired: (nowMs, limit) =>
      // Skips what another process is removing at the same time.
      db.$executeRaw`
        DELETE FROM sessions WHERE sid_hash IN (
          SELECT sid_hash FROM sessions WHERE expires_at <= ${new Date(nowMs)}
          ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  };
}

function toSession(row: SessionModel): Session {
  const { id, sidHash, userId, device, network } = row;
  return { id, sidHash, userId, browser: { device, network }, ...toTimes(row) };
}

function toTimes({ createdAt, lastSeenAt, expiresAt, endsAt }: Times) {
  return {
    createdAtMs: createdAt.getTime(),
    lastSeenAtMs: lastSeenAt.getTime(),
    expiresAtMs: expiresAt.getTime(),
    endsAtMs: endsAt.getTime(),
  };
}

function toRow({ browser, createdAtMs, lastSeenAtMs, expiresAtMs, endsAtMs, ...same }: Session) {
  return {
    ...same,
    ...browser,
    createdAt: new Date(createdAtMs),
    lastSeenAt: new Date(lastSeenAtMs),
    expiresAt: new Date(expiresAtMs),
    endsAt: new Date(endsAtMs),
  };
}

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
