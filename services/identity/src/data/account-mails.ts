import { ACCOUNT_MAIL_KINDS } from '@casewatch/contracts/account-mails';
import type { AccountToken, RequestedMail, TokenPurpose } from '../domain/account-mail.ts';
import type { AccountMails } from '../domain/store.ts';
import type { Prisma } from '../generated/client.ts';
import type { AccountMailModel, AccountTokenModel } from '../generated/models.ts';
import { languageOf } from './user-rows.ts';

/** E-mails and links in the tables `account_mails` and `account_tokens`, inside or outside of a transaction. */
export function accountMailsOf(db: Prisma.TransactionClient): AccountMails {
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
    async findToken(tokenHash, purpose, nowMs) {
      const where = { tokenHash, purpose, expiresAt: { gt: new Date(nowMs) } };
      const row = await db.accountToken.findFirst({ where });
      return row ? toToken(row, purpose) : undefined;
    },
    async takeToken(tokenHash, purpose, nowMs) {
      const rows = await db.$queryRaw<{ user_id: string; email: string; expires_at: Date }[]>`
        DELETE FROM account_tokens
        WHERE token_hash = ${tokenHash} AND purpose = ${purpose} AND expires_at > ${new Date(nowMs)}
        RETURNING user_id, email, expires_at`;
      const row = rows[0];
      if (!row) return undefined;
      const { user_id: userId, email, expires_at: expiresAt } = row;
      return { tokenHash, purpose, userId, email, expiresAtMs: expiresAt.getTime() };
    },
    async endLinksOf(userId, purpose) {
      const purposes: TokenPurpose[] = purpose ? [purpose] : ['reset-password', 'confirm-email'];
      await db.accountToken.deleteMany({ where: { userId, purpose: { in: purposes } } });
      await db.accountMail.deleteMany({ where: { userId, kind: { in: purposes } } });
    },
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
  return [{ ...row, kind: known, browser, language: languageOf(language), ...times }];
}

function toToken({ expiresAt, ...row }: AccountTokenModel, purpose: TokenPurpose): AccountToken {
  return { ...row, purpose, expiresAtMs: expiresAt.getTime() };
}
