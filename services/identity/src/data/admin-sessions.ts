import type { AdminRole } from '@casewatch/contracts/admin-roles';
import type { AdminSession } from '../domain/admin/admin-session.ts';
import type { AdminSessions } from '../domain/store.ts';
import { Prisma } from '../generated/client.ts';

interface UsedRow {
  id: string;
  administratorId: string | null;
  name: string | null;
  role: AdminRole | null;
}

/** The session and its administrator, of an UPDATE of `admin_sessions`. */
const RETURNING = Prisma.sql`RETURNING id, administrator_id AS "administratorId",
  (SELECT coalesce(name, email) FROM administrators WHERE administrators.id = administrator_id) AS name,
  (SELECT role FROM administrators WHERE administrators.id = administrator_id) AS role`;

/** Returns the admin sessions in the table `admin_sessions`, inside or outside of a transaction. */
export function adminSessionsOf(db: Prisma.TransactionClient): AdminSessions {
  return {
    async add(session) {
      await db.adminSession.create({ data: toRow(session) });
    },
    async use(sidHash, { passcodeFingerprint = null, nowMs, expiresAtMs }) {
      return found(
        await db.$queryRaw<UsedRow[]>`
        UPDATE admin_sessions
        SET expires_at = GREATEST(expires_at, LEAST(${new Date(expiresAtMs)}, ends_at))
        WHERE sid_hash = ${sidHash} AND expires_at > ${new Date(nowMs)}
          AND (passcode_fingerprint = ${passcodeFingerprint} OR administrator_id IS NOT NULL)
        ${RETURNING}`,
      );
    },
    async end(sidHash, nowMs) {
      const now = new Date(nowMs);
      return found(
        await db.$queryRaw<UsedRow[]>`
        UPDATE admin_sessions SET expires_at = ${now}
        WHERE sid_hash = ${sidHash} AND expires_at > ${now}
        ${RETURNING}`,
      );
    },
    async endAllOf(administratorId, nowMs) {
      const now = new Date(nowMs);
      await db.adminSession.updateMany({
        where: { administratorId, expiresAt: { gt: now } },
        data: { expiresAt: now },
      });
    },
    async isKnownNetwork(networkHash) {
      return (await db.adminSession.findFirst({ where: { networkHash }, select: { id: true } })) !== null;
    },
    async removeEnded(beforeMs) {
      await db.adminSession.deleteMany({ where: { endsAt: { lte: new Date(beforeMs) } } });
    },
  };
}

function found([row]: UsedRow[]) {
  if (!row) return undefined;
  const { id, administratorId, name, role } = row;
  const isNamed = administratorId !== null && name !== null && role !== null;
  return { id, administrator: isNamed ? { id: administratorId, name, role } : undefined };
}

function toRow({ createdAtMs, expiresAtMs, endsAtMs, ...same }: AdminSession) {
  return {
    ...same,
    createdAt: new Date(createdAtMs),
    expiresAt: new Date(expiresAtMs),
    endsAt: new Date(endsAtMs),
  };
}
