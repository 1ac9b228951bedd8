import { type CaseOverview, listCaseOverviews } from '@casewatch/contracts/case-overviews';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { addressMails } from './addressed-mails.ts';
import { type DigestContent, type DigestLog, type DueDigest, digestContent } from './digests.ts';
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
  if (wanted.length === 0) return { ready: [], dropped: unwanted };
  const changes = Map.groupBy(await parts.log.changesOf(wanted), ({ digestId }) => digestId);
  const isEmpty = ({ id, kind, settings }: DueDigest) => !changes.has(id) && settings.email.digest !== kind;
  const empty = wanted.filter(isEmpty).map((one) => ({ due: one, reason: 'nothing-changed' }));
  const settled = [...unwanted, ...empty];
  const filled = wanted.filter((one) => !isEmpty(one));
  if (filled.length === 0) return { ready: [], dropped: settled };
  const recipients = await addressMails(parts, filled);
  if (!recipients) return { ready: [], dropped: settled, unavailable: 'identity' };
  const dropped = [...settled, ...recipients.dropped];
  const { sendable } = recipients;
  if (sendable.length === 0) return { ready: [], dropped };
  const cases = await casesOf(parts, [...new Set(sendable.map((one) => one.due.userId))]);
  if (!cases) return { ready: [], dropped, unavailable: 'cases' };
  const nowMs = parts.clock.nowMs();
  const ready = sendable.map(({ due: digest, to, language }) => ({
    due: digest,
    message: parts.compose(
      digest,
      digestContent(changes.get(digest.id) ?? [], cases.get(digest.userId) ?? [], nowMs),
      { to, language, unsubscribeToken: parts.tokens.issue(digest.userId, 'digest'), date: new Date(nowMs) },
    ),
  }));
  return { ready, dropped };
}

/** Undefined while cases is unavailable: a digest that leaves cases out would be wrong. */
async function casesOf(
  { services, logger }: DigestMailParts,
  userIds: readonly string[],
): Promise<Map<string, CaseOverview[]> | undefined> {
  try {
    const { cases } = await services.call(listCaseOverviews, { body: { userIds: [...userIds] } });
    return Map.groupBy(cases, ({ userId }) => userId);
  } catch (error) {
    logger.warn({ err: error, users: userIds.length }, 'send digests: case lookup failed, will retry');
    return undefined;
  }
}
