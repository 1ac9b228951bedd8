import { randomUUID } from 'node:crypto';
import { asciiAddress } from '@casewatch/contracts/email-address';
import { nameKeyOf } from '@casewatch/contracts/find-users';
import { LANGUAGES, type Language } from '@casewatch/contracts/languages';
import { TIERS, type Tier } from '@casewatch/contracts/limits';
import { type Account, emailKey, emailTaken, fullName } from '../domain/account/account.ts';
import type { Accounts, NewAccount, UserRows } from '../domain/store.ts';
import { Prisma } from '../generated/client.ts';
import type { UserModel } from '../generated/models.ts';

/**
 * Accounts in the table `users`, inside or outside of a transaction. Where no e-mails are sent an address that was only typed counts
 * as proven, and is none once they are.
 */
export function accountsOf(db: Prisma.TransactionClient, sendsMails: boolean): Accounts {
  const isProven = (emailVerifiedAt: Date | null) => emailVerifiedAt !== null || !sendsMails;
  const toAccount = (row: UserModel) => readAccount(row, isProven(row.emailVerifiedAt));
  const optional = (row: UserModel | null | undefined) => (row ? toAccount(row) : undefined);
  return {
    byId: async (id) => optional(await db.user.findUnique({ where: { id } })),
    byEmail: async (email) => optional(await db.user.findUnique({ where: { emailKey: emailKey(email) } })),
    async mailAddresses(ids) {
      const rows = await db.user.findMany({
        where: { id: { in: [...ids] } },
        select: {
          id: true,
          email: true,
          emailVerifiedAt: true,
          emailRefusedAt: true,
          language: true,
          lastLanguage: true,
        },
      });
      return rows.map(({ id, email, emailVerifiedAt, emailRefusedAt, language, lastLanguage }) => ({
        userId: id,
        email,
        verified: isProven(emailVerifiedAt),
        ...(emailRefusedAt === null ? {} : { refused: true as const }),
        language: languageOf(language) ?? languageOf(lastLanguage) ?? 'en',
      }));
    },
    async beginningWith(start, limit) {
      const pattern = (text: string) => `${text.replace(/[\\%_]/g, '\\$&')}%`;
      const rows = await db.$queryRaw<{ id: string }[]>`
        SELECT id::text FROM users WHERE email_key LIKE ${pattern(emailKey(asciiAddress(start)))}
          OR lower(regexp_replace(normalize(last_name, NFKD), '[\\u0300-\\u036f]+', '', 'g')) LIKE ${pattern(nameKeyOf(start))}
        ORDER BY id LIMIT ${limit}`;
      return rows.map(({ id }) => id);
    },
    async lock(id) {
      await db.$queryRaw`SELECT 1 FROM users WHERE id = ${id}::uuid FOR UPDATE`;
      return optional(await db.user.findUnique({ where: { id } }));
    },
    create: async (account) => toAccount(await unlessTaken(db.user.create({ data: newRow(account) }))),
    async createIfFree(account) {
      const made = await db.user.createManyAndReturn({ data: [newRow(account)], skipDuplicates: true });
      return optional(made[0]);
    },
    changeProfile: async (id, data) =>
      toAccount(await db.user.update({ where: { id }, data: { ...data, ...published } })),
    async countLogin(id, passwordHash, lastLanguage) {
      const data = { loginCount: { increment: 1 }, lastLanguage };
      const changed = await db.user.updateManyAndReturn({ where: { id, passwordHash }, data });
      return optional(changed[0]);
    },
    async changeEmail(id, passwordHash, { email, isAnother }) {
      const data = {
        email,
        emailKey: emailKey(email),
        ...(isAnother ? { emailVerifiedAt: null, emailRefusedAt: null } : {}),
        ...published,
      };
      const changed = await unlessTaken(db.user.updateManyAndReturn({ where: { id, passwordHash }, data }));
      return optional(changed[0]);
    },
    async changePassword(id, passwordHash, data) {
      const changed = await db.user.updateManyAndReturn({ where: { id, passwordHash }, data });
      return optional(changed[0]);
    },
    async resetPassword(id, { nowMs, ...data }) {
      await db.user.update({ where: { id }, data: { ...data, ...provenAt(nowMs) } });
    },
    async confirmEmail(id, email, nowMs) {
      const data = { email, emailKey: emailKey(email), ...provenAt(nowMs), ...published };
      return toAccount(await unlessTaken(db.user.update({ where: { id }, data })));
    },
    async noteMailResult(email, accepted, nowMs) {
      // The first refusal counts, and most e-mails change nothing.
      await db.user.updateMany({
        where: { emailKey: emailKey(email), emailRefusedAt: accepted ? { not: null } : null },
        data: { emailRefusedAt: accepted ? null : new Date(nowMs) },
      });
    },
    async setDeviceKey(id, deviceKey) {
      await db.user.updateMany({ where: { id }, data: { deviceKey } });
    },
    async remove(id, passwordHash) {
      const account = optional(await db.user.findUnique({ where: { id } }));
      const { count } = await db.user.deleteMany({ where: { id, passwordHash } });
      return count === 1 ? account : undefined;
    },
    async removeDemos() {
      const removed = await db.$queryRaw<{ id: string }[]>`DELETE FROM users WHERE is_demo RETURNING id`;
      return removed.map(({ id }) => id);
    },
  };
}

/** An e-mail with a link has arrived at the address. */
const provenAt = (nowMs: number) => ({ emailVerifiedAt: new Date(nowMs), emailRefusedAt: null });

function newRow({ createdAtMs, emailVerified, ...account }: NewAccount) {
  return {
    ...account,
    id: randomUUID(),
    emailKey: emailKey(account.email),
    createdAt: new Date(createdAtMs),
    emailVerifiedAt: emailVerified ? new Date(createdAtMs) : null,
  };
}

function readAccount(
  {
    emailKey: _key,
    createdAt: _createdAt,
    emailVerifiedAt: _verifiedAt,
    emailRefusedAt,
    subscriptionVersion: _subscriptionVersion,
    tier,
    language,
    lastLanguage,
    policiesVersion: _policiesVersion,
    ...row
  }: UserModel,
  emailVerified: boolean,
): Account {
  return {
    ...row,
    tier: tierOf(tier),
    emailVerified,
    emailRefused: emailRefusedAt !== null,
    language: languageOf(language),
    lastLanguage: languageOf(lastLanguage),
  };
}

/** Of a change that may be published: under the lock of the row, so that versions rise in the order of the changes. */
const published = { version: { increment: 1 } };

/** Only the e-mail address can collide: the id is 122 random bits. */
async function unlessTaken<T>(write: PromiseLike<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const taken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
    throw taken ? emailTaken(error) : error;
  }
}

export const userRows: UserRows = {
  async changePlan(tx, userId, { tier, paymentFailed, subscriptionVersion }) {
    const [row] = await tx.query<{
      first_name: string;
      last_name: string;
      version: number;
      changed: boolean;
    }>(
      `UPDATE users SET tier = $2, subscription_version = $3, payment_failed = $4, version = users.version + 1
       FROM (SELECT id, tier, subscription_version FROM users WHERE id = $1::uuid FOR UPDATE) AS before
       WHERE users.id = before.id AND before.subscription_version < $3
       RETURNING first_name, last_name, users.version, before.tier <> $2 AS changed`,
      [userId, tier, subscriptionVersion, paymentFailed],
    );
    if (!row?.changed) return undefined;
    return { name: fullName({ firstName: row.first_name, lastName: row.last_name }), version: row.version };
  },
};

/** Narrows a value that the column's check constrains. */
export function tierOf(value: string): Tier {
  const tier = TIERS.find((known) => known === value);
  if (!tier) throw new Error('users.tier holds an unknown value');
  return tier;
}

/** Returns null for one that only a newer process knows. */
export function languageOf(value: string | null): Language | null {
  return LANGUAGES.find((known) => known === value) ?? null;
}
