import type { AdminSession } from '../domain/admin-session.ts';
import type { AdminSessions } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';

/** Admin sessions in the table `admin_sessions`, inside or outside of a transaction. */
export function adminSessionsOf(db: Prisma.TransactionClient): AdminSessions {
  return {
    async add(session) {
      await db.adminSession.create({ data: toRow(session) });
    },
    async use(sidHash, { passcodeFingerprint, nowMs, expiresAtMs }) {
      const rows = await db.$queryRaw<{ id: string }[]>`
        UPDATE admin_sessions
        SET expires_at = GREATEST(expires_at, LEAST(${new Date(expiresAtMs)}, ends_at))
        WHERE sid_hash = ${sidHash} AND passcode_fingerprint = ${passcodeFingerprint}
          AND expires_at > ${new Date(nowMs)}
        RETURNING id`;
      return rows[0]?.id;
    },
    async end(sidHash, nowMs) {
      const now = new Date(nowMs);
      const rows = await db.$queryRaw<{ id: string }[]>`
        UPDATE admin_sessions SET expires_at = ${now}
        WHERE sid_hash = ${sidHash} AND expires_at > ${now}
        RETURNING id`;
      return rows[0]?.id;
    },
    async isKnownNetwork(networkHash) {
      return (await db.adminSession.findFirst({ where: { networkHash }, select: { id: true } })) !== null;
    },
    async removeEnded(beforeMs) {
      await db.adminSession.deleteMany({ where: { endsAt: { lte: new Date(beforeMs) } } });
    },
  };
}

function toRow({ createdAtMs, expiresAtMs, endsAtMs, ...same }: AdminSession) {
  return {
    ...same,
    createdAt: new Date(createdAtMs),
    expiresAt: new Date(expiresAtMs),
    endsAt: new Date(endsAtMs),
  };
}
