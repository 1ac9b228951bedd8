import { createHmac, timingSafeEqual } from 'node:crypto';
import { isStoppableMail } from '@casewatch/contracts/notification-choices';
import type { UnsubscribeTokens } from '../domain/mailer.ts';

const PURPOSE = 'casewatch stop e-mail v1';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Enough to distinguish the addresses of one account; the signature keeps it from being changed. */
const MARK_BYTES = 9;

/**
 * Tokens with which the recipient of an e-mail stops the next one of its kind without signing in (RFC 8058), and nothing else: user id,
 * kind, a keyed hash of the address, and HMAC-SHA256 of the three. A token never expires, because e-mails are kept for years, but counts
 * only while the account has the address. `secrets`: the first signs, each is believed.
 */
export function createUnsubscribeTokens(secrets: readonly [string, ...string[]]): UnsubscribeTokens {
  const sign = (secret: string, named: string) =>
    createHmac('sha256', secret).update(`${PURPOSE}\n${named}`).digest();
  const markOf = (secret: string, email: string) =>
    sign(secret, `address ${email.toLowerCase()}`).subarray(0, MARK_BYTES).toString('base64url');
  return {
    issue: ({ userId, email }, kind) => {
      const named = `${userId}.${kind}.${markOf(secrets[0], email)}`;
      return `${named}.${sign(secrets[0], named).toString('base64url')}`;
    },
    read(token) {
      const [userId = '', kind = '', mark = '', signature = '', ...rest] = token.split('.');
      if (!UUID.test(userId) || !isStoppableMail(kind) || rest.length > 0) return undefined;
      const given = Buffer.from(signature, 'base64url');
      const fits = (secret: string) => {
        const expected = sign(secret, `${userId}.${kind}.${mark}`);
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      const secret = secrets.find(fits);
      if (secret === undefined) return undefined;
      return { userId, kind, isFor: (email) => markOf(secret, email) === mark };
    },
  };
}
