import { createHmac, timingSafeEqual } from 'node:crypto';
import { isStoppableMail } from '@casewatch/contracts/notification-choices';
import type { UnsubscribeTokens } from '../domain/mailer.ts';

const PURPOSE = 'casewatch stop e-mail v1';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Tokens with which the recipient of an e-mail stops the next one of its kind without signing in (RFC 8058), and nothing
 * else: user id, kind and HMAC-SHA256 of both. Those of older e-mails have no kind and stop all. A token never expires,
 * because e-mails are kept for years. `secrets`: the first signs, each is believed.
 */
export function createUnsubscribeTokens(secrets: readonly [string, ...string[]]): UnsubscribeTokens {
  const sign = (secret: string, named: string) =>
    createHmac('sha256', secret).update(`${PURPOSE}\n${named}`).digest();
  return {
    issue: (userId, kind) => {
      const named = `${userId}.${kind}`;
      return `${named}.${sign(secrets[0], named).toString('base64url')}`;
    },
    read(token) {
      const parts = token.split('.');
      const signature = parts.pop() ?? '';
      const [userId = '', kind = 'all', ...rest] = parts;
      const isKnown = kind === 'all' ? parts.length === 1 : isStoppableMail(kind);
      if (!UUID.test(userId) || !isKnown || rest.length > 0) return undefined;
      const given = Buffer.from(signature, 'base64url');
      const fits = (secret: string) => {
        const expected = sign(secret, parts.join('.'));
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      return secrets.some(fits) ? { userId, kind: isStoppableMail(kind) ? kind : 'all' } : undefined;
    },
  };
}
