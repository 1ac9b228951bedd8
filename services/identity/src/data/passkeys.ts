import type { Passkey, PasskeyOwner } from '../domain/passkey/passkey.ts';
import type { Passkeys } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';
import type { PasskeyModel } from '../generated/models.ts';

/** Passkeys and challenges in the tables `passkeys` and `passkey_challenges`, inside or outside of a transaction. */
export function passkeysOf(db: Prisma.TransactionClient): Passkeys {
  return {
    async listOf(owner) {
      return (await db.passkey.findMany({ where: owner, orderBy: { id: 'asc' } })).map(toPasskey);
    },
    async byCredentialId(credentialId) {
      const row = await db.passkey.findUnique({ where: { credentialId } });
      return row ? toPasskey(row) : undefined;
    },
    async add({ owner, transports, createdAtMs, lastUsedAtMs, counter, ...same }) {
      const data = {
        ...same,
        ...owner,
        counter: BigInt(counter),
        transports: [...transports],
        createdAt: new Date(createdAtMs),
        lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs),
      };
      return (await db.passkey.createMany({ data: [data], skipDuplicates: true })).count === 1;
    },
    async rename(owner, id, name) {
      const [row] = await db.passkey.updateManyAndReturn({ where: { ...owner, id }, data: { name } });
      return row ? toPasskey(row) : undefined;
    },
    async remove(owner, id) {
      return (await db.passkey.deleteMany({ where: { ...owner, id } })).count === 1;
    },
    async removeAllOf(owner) {
      await db.passkey.deleteMany({ where: owner });
    },
    async recordUse(id, { counter, synced, nowMs }) {
      // Of answers with the same count, one is recorded (WebAuthn, 7.2, step 22).
      const changed = await db.$executeRaw`
        UPDATE passkeys SET counter = ${counter}, synced = ${synced}, last_used_at = ${new Date(nowMs)}
        WHERE id = ${id}::uuid AND (counter < ${counter} OR (counter = 0 AND ${counter}::bigint = 0))`;
      return changed === 1;
    },
    async addChallenge({ owner, expiresAtMs, ...same }) {
      await db.passkeyChallenge.create({ data: { ...same, ...owner, expiresAt: new Date(expiresAtMs) } });
    },
    async takeChallenge({ challengeHash, purpose, owner }, nowMs) {
      const { count } = await db.passkeyChallenge.deleteMany({
        where: { challengeHash, purpose, ...columnsOf(owner), expiresAt: { gt: new Date(nowMs) } },
      });
      return count === 1;
    },
    async endChallengesOf(owner) {
      await db.passkeyChallenge.deleteMany({ where: owner });
    },
    removeExpired: (nowMs, limit) =>
      // Skips what another process is removing at the same time.
      db.$executeRaw`
        DELETE FROM passkey_challenges WHERE challenge_hash IN (
          SELECT challenge_hash FROM passkey_challenges WHERE expires_at <= ${new Date(nowMs)}
          ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  };
}

/** Without an owner both are null: a challenge of an account is no challenge of a sign-in. */
function columnsOf(owner: PasskeyOwner | undefined) {
  return { userId: null, administratorId: null, ...owner };
}

function toPasskey(row: PasskeyModel): Passkey {
  const { userId, administratorId, counter, createdAt, lastUsedAt, ...same } = row;
  return {
    ...same,
    owner: ownerOf(userId, administratorId),
    counter: Number(counter),
    createdAtMs: createdAt.getTime(),
    lastUsedAtMs: lastUsedAt?.getTime() ?? null,
  };
}

/** Exactly one is set: the table has a check. */
function ownerOf(userId: string | null, administratorId: string | null): PasskeyOwner {
  if (userId !== null) return { userId };
  if (administratorId !== null) return { administratorId };
  throw new Error('a passkey without an owner');
}
