import type { Session } from '../domain/session.ts';
import type { Sessions } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';
import type { SessionModel } from '../generated/models.ts';
import { tierOf } from './user-rows.ts';

interface SessionOwnerRow {
  id: string;
  user_id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  ends_at: Date;
  first_name: string;
  last_name: string;
  tier: string;
}

/** Sessions in the table `sessions`, inside or outside of a transaction. */
export function sessionsOf(db: Prisma.TransactionClient): Sessions {
  return {
    async add(session) {
      await db.session.create({ data: toRow(session) });
    },
    async find(sidHash, nowMs) {
      // The gateway asks this for every session it has not cached: one statement instead of Prisma's two.
      const rows = await db.$queryRaw<SessionOwnerRow[]>`
        SELECT s.id, s.user_id, s.created_at, s.last_seen_at, s.expires_at, s.ends_at, u.first_name, u.last_name, u.tier
        FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.sid_hash = ${sidHash} AND s.expires_at > ${new Date(nowMs)}`;
      const row = rows[0];
      if (!row) return undefined;
      return {
        id: row.id,
        session: {
          sidHash,
          userId: row.user_id,
          createdAtMs: row.created_at.getTime(),
          lastSeenAtMs: row.last_seen_at.getTime(),
          expiresAtMs: row.expires_at.getTime(),
          endsAtMs: row.ends_at.getTime(),
        },
        owner: { firstName: row.first_name, lastName: row.last_name, tier: tierOf(row.tier) },
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
  const { id, sidHash, userId, device, network, createdAt, lastSeenAt, expiresAt, endsAt } = row;
  return {
    id,
    sidHash,
    userId,
    browser: { device, network },
    createdAtMs: createdAt.getTime(),
    lastSeenAtMs: lastSeenAt.getTime(),
    expiresAtMs: expiresAt.getTime(),
    endsAtMs: endsAt.getTime(),
  };
}

function toRow({ sidHash, id, browser, userId, createdAtMs, lastSeenAtMs, expiresAtMs, endsAtMs }: Session) {
  return {
    sidHash,
    id,
    ...browser,
    userId,
    createdAt: new Date(createdAtMs),
    lastSeenAt: new Date(lastSeenAtMs),
    expiresAt: new Date(expiresAtMs),
    endsAt: new Date(endsAtMs),
  };
}
