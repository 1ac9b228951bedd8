import { createHmac } from 'node:crypto';
import type { RecipientTags } from '../domain/mail-report.ts';

const PURPOSE = 'casewatch mail recipient v1';
/** More than can be guessed by sending reports. */
const TAG_BYTES = 12;

/**
 * Tags that tie the Message-ID of an e-mail to the address that it goes to: who did not get an e-mail to an address can't make up
 * a report about it. `secrets`: the first makes tags, each is believed.
 */
export function createRecipientTags(secrets: readonly [string, ...string[]]): RecipientTags {
  const tagOf = (secret: string, email: string) =>
    createHmac('sha256', secret)
      .update(`${PURPOSE}\n${email.toLowerCase()}`)
      .digest()
      .subarray(0, TAG_BYTES)
      .toString('base64url');
  return {
    tagged: (messageId, email) => messageId.replace('@', `.${tagOf(secrets[0], email)}@`),
    isTo(messageId, email) {
      const [, tag] = /\.([\w-]{16})@/.exec(messageId) ?? [];
      return tag !== undefined && secrets.some((secret) => tagOf(secret, email) === tag);
    },
  };
}
