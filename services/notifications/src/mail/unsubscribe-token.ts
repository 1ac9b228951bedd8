import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UnsubscribeTokens } from '../domain/mailer.ts';

const PURPOSE = 'casewatch stop e-mail v1';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * What lets whoever has an e-mail stop the next one without signing in (RFC 8058), and nothing else: user id and
 * HMAC-SHA256. It never expires, because e-mails are kept for years. `secrets`: the first signs, each is believed.
 */
export function createUnsubscribeTokens(secrets: readonly [string, ...string[]]): UnsubscribeTokens {
  const sign = (secret: string, userId: string) =>
    createHmac('sha256', secret).update(`${PURPOSE}\n${userId}`).digest();
  return {
    issue: (userId) => `${userId}.${sign(secrets[0], userId).toString('base64url')}`,
    read(token) {
      const [userId = '', signature = '', ...rest] = token.split('.');
      if (!UUID.test(userId) || rest.length > 0) return undefined;
      const given = Buffer.from(signature, 'base64url');
      const fits = (secret: string) => {
        const expected = sign(secret, userId);
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      return secrets.some(fits) ? userId : undefined;
    },
  };
}
