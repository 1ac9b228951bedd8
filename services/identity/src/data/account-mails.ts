import { ACCOUNT_MAIL_KINDS } from '@casewatch/contracts/account-mails';
import { emailKey } from '../domain/account/account.ts';
import {
  type AccountToken,
  type RequestedMail,
  type TokenPurpose,
  tokenPurpose,
} from '../domain/mail/account-mail.ts';
import type { AccountMails } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';
import type { AccountMailModel, AccountTokenModel } from '../generated/models.ts';
import { languageOf } from './accounts.ts';

const ALL_PURPOSES = ACCOUNT_MAIL_KINDS.filter(tokenPurpose);

/** Returns the e-mails and links in the tables `account_mails` and `account_tokens`, inside or outside of a transaction. */
export function accountMailsOf(db: Prisma.TransactionClient): AccountMails {
  async function findToken(tokenHash: string, purposes: readonly TokenPurpose[], nowMs: number) {
    const where = { tokenHash, purpose: { in: [...purposes] }, expiresAt: { gt: new Date(nowMs) } };
    const row = await db.accountToken.findFirst({ where });
    return row ? toToken(row) : undefined;
  }

  return {
    async add({ browser, requestedAtMs, expiresAtMs, ...mail }) {
      const { device = null, network = null } = browser ?? {};
      const times = { requestedAt: new Date(requestedAtMs), expiresAt: new Date(expiresAtMs) };
      await db.accountMail.create({ data: { ...mail, device, network, ...times } });
    },
    async due(ids, nowMs) {
      const where = { id: { in: [...ids] }, expiresAt: { gt: new Date(nowMs) } };
      return (await db.accountMail.findMany({ where })).flatMap(toMail);
    },
    async addToken({ expiresAtMs, ...token }) {
      await db.accountToken.create({ data: { ...token, expiresAt: new Date(expiresAtMs) } });
    },
    findToken,
    async takeToken(tokenHash, purposes, nowMs) {
      const found = await findToken(tokenHash, purposes, nowMs);
      if (!found) return undefined;
      const { count } = await db.accountToken.deleteMany({ where: { tokenHash } });
      return count === 1 ? found : undefined;
    },
    async endLinksOf({ id: userId, email }, purposes = ALL_PURPOSES) {
      const kinds = [...purposes];
      await db.accountToken.deleteMany({ where: { userId, purpose: { in: kinds } } });
      await db.accountMail.deleteMany({ where: { userId, kind: { in: kinds } } });
      await db.$executeRaw`
        DELETE FROM account_mails
        WHERE user_id IS NULL AND lower(email COLLATE "C") = ${emailKey(email)} AND kind = ANY (${kinds})`;
    },
    countOf: (userId, kind, sinceMs) =>
      db.accountMail.count({ where: { userId, kind, requestedAt: { gt: new Date(sinceMs) } } }),
    async removeExpired(nowMs, limit) {
      const now = new Date(nowMs);
      // Skips what another process is removing at the same time.
      const tokens = await db.$executeRaw`
        DELETE FROM account_tokens WHERE token_hash IN (
          SELECT token_hash FROM account_tokens WHERE expires_at <= ${now}
          ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
      const mails = await db.$executeRaw`
        DELETE FROM account_mails WHERE id IN (
          SELECT id FROM account_mails WHERE expires_at <= ${now}
          ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
      return Math.max(tokens, mails);
    },
  };
}

function toMail({
  kind,
  device,
  network,
  requestedAt,
  expiresAt,
  language,
  ...row
}: AccountMailModel): RequestedMail[] {
  const known = ACCOUNT_MAIL_KINDS.find((one) => one === kind);
  // Requested by a newer process: an older one leaves it out, and says so by sending none.
  if (!known) return [];
  const browser = device === null || network === null ? null : { device, network };
  const times = { requestedAtMs: requestedAt.getTime(), expiresAtMs: expiresAt.getTime() };
  return [{ ...row, kind: known, browser, language: languageOf(language) ?? 'en', ...times }];
}

function toToken({ purpose, expiresAt, ...row }: AccountTokenModel): AccountToken | undefined {
  const known = ALL_PURPOSES.find((one) => one === purpose);
  return known && { ...row, purpose: known, expiresAtMs: expiresAt.getTime() };
}
