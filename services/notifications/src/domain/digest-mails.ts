import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { addressMails } from './addressed-mails.ts';
import { casesOfDigests } from './digest-cases.ts';
import {
  type DigestContent,
  type DigestLog,
  type DueDigest,
  digestContent,
  nothingChanged,
} from './digests.ts';
import type { Addressed, Mail, UnsubscribeTokens } from './mailer.ts';
import type { DeliveryKind, Prepared } from './send-due-deliveries.ts';

/** Writes the e-mail of a digest. */
export type DigestComposer = (digest: DueDigest, content: DigestContent, addressed: Addressed) => Mail;

interface DigestMailParts {
  log: DigestLog;
  services: ServiceClient;
  compose: DigestComposer;
  tokens: UnsubscribeTokens;
  clock: Clock;
  logger: Logger;
}

/**
 * E-mails with digests. What changed is known here; where the other cases stand is asked of cases when the digest is
 * sent, and not stored. Without changes it is sent to those who want an overview in any case.
 */
export function digestMails(parts: DigestMailParts): DeliveryKind<DueDigest, Mail> {
  return { log: parts.log, prepare: (due) => prepare(parts, due) };
}

async function prepare(
  parts: DigestMailParts,
  due: readonly DueDigest[],
): Promise<Prepared<DueDigest, Mail>> {
  const isWanted = ({ settings }: DueDigest) =>
    Object.values(settings.email).some((timing) => timing !== 'never');
  const unwanted = due.filter((one) => !isWanted(one)).map((one) => ({ due: one, reason: 'opted-out' }));
  const wanted = due.filter(isWanted);
  const changes = Map.groupBy(await parts.log.changesOf(wanted), ({ digestId }) => digestId);
  const isWantedIf = ({ kind, settings }: DueDigest, hasChanges: boolean) =>
    hasChanges || settings.email.digest === kind;
  const filled = wanted.filter((one) => isWantedIf(one, changes.has(one.id)));
  const empty = wanted.filter((one) => !filled.includes(one));
  const settled = [...unwanted, ...empty.map(nothingChanged)];
  if (filled.length === 0) return { ready: [], dropped: settled };
  const recipients = await addressMails(parts, filled);
  if (!recipients) return { ready: [], dropped: settled, unavailable: 'identity' };
  const dropped = [...settled, ...recipients.dropped];
  const { sendable } = recipients;
  if (sendable.length === 0) return { ready: [], dropped };
  const cases = await casesOfDigests(
    parts,
    sendable.map((one) => one.due.userId),
    sendable.flatMap(({ due: { id, userId } }) =>
      (changes.get(id) ?? []).map(({ receiptNumber }) => ({ userId, receiptNumber })),
    ),
  );
  if (!cases) return { ready: [], dropped, unavailable: 'cases' };
  const nowMs = parts.clock.nowMs();
  const written = sendable.map((one) => {
    const { id, userId } = one.due;
    return { ...one, content: digestContent(changes.get(id) ?? [], cases(userId), nowMs) };
  });
  // Which cases are snoozed, and so not among the changed ones, is known only now.
  const full = written.filter(({ due: one, content }) => isWantedIf(one, content.changed.length > 0));
  const asleep = written.filter((one) => !full.includes(one));
  const ready = full.map(({ due: digest, to, language, content }) => ({
    due: digest,
    message: parts.compose(digest, content, {
      to,
      language,
      unsubscribeToken: parts.tokens.issue(digest.userId, 'digest'),
      date: new Date(nowMs),
    }),
  }));
  return { ready, dropped: [...dropped, ...asleep.map((one) => nothingChanged(one.due))] };
}
