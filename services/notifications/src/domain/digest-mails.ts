import { addressMails, type MailParts } from './address-mails.ts';
import type { DigestContent, DigestLog, DueDigest } from './digests.ts';
import { judgeDigests } from './judge-digests.ts';
import type { Addressed, Mail } from './mailer.ts';
import type { DeliveryKind } from './send-due-deliveries.ts';

/** Writes the e-mail of a digest. */
export type DigestComposer = (digest: DueDigest, content: DigestContent, addressed: Addressed) => Mail;

/**
 * Prepares e-mails with digests. What changed is known here; where the other cases stand is asked of cases when the digest is
 * sent, and not stored. Without changes it is sent to those who want an overview in any case.
 */
export function digestMails(
  parts: MailParts & { log: DigestLog; compose: DigestComposer },
): DeliveryKind<DueDigest, Mail> {
  // Whether the user wants any e-mails about cases now.
  const isWanted = ({ settings }: DueDigest) =>
    Object.values(settings.email).some((timing) => timing !== 'never');
  const rules = {
    isReported: isWanted,
    isOverview: ({ kind, settings }: DueDigest) => settings.email.digest === kind,
    reasonOf: (digest: DueDigest) => (isWanted(digest) ? 'nothing-changed' : 'opted-out'),
  };
  return {
    log: parts.log,
    prepare: async (due) =>
      addressMails(parts, await judgeDigests(parts, due, rules), () => 'digest', parts.compose),
  };
}
