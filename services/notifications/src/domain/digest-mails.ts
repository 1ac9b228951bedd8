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
import { holdChanges } from './hold-changes.ts';
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
 * Prepares e-mails with digests. What changed is known here; where the other cases stand is asked of cases when the digest is
 * sent, and not stored. Without changes it is sent to those who want an overview in any case.
 */
export function digestMails(parts: DigestMailParts): DeliveryKind<DueDigest, Mail> {
  return { log: parts.log, prepare: (due) => prepare(parts, due) };
}

async function prepare(
  parts: DigestMailParts,
  due: readonly DueDigest[],
): Promise<Prepared<DueDigest, Mail>> {
  const changes = Map.groupBy(await parts.log.changesOf(due), ({ digestId }) => digestId);
  const mayBeSent = (one: DueDigest) => changes.has(one.id) || (isWanted(one) && isOverview(one));
  const settled = due.filter((one) => !mayBeSent(one)).map(unsaid);
  const filled = due.filter(mayBeSent);
  if (filled.length === 0) return { ready: [], dropped: settled };
  const cases = await casesOfDigests(
    parts,
    filled.map(({ userId }) => userId),
    filled.flatMap(({ id, userId }) =>
      (changes.get(id) ?? []).map(({ receiptNumber }) => ({ userId, receiptNumber })),
    ),
  );
  if (!cases) return { ready: [], dropped: settled, unavailable: 'cases' };
  const nowMs = parts.clock.nowMs();
  const held = await holdChanges(
    parts.log,
    filled.map((digest) => ({ digest, changes: changes.get(digest.id) ?? [], cases: cases(digest.userId) })),
    nowMs,
  );
  const contents = new Map(
    held.map(({ digest, changes: own, cases: known }) => {
      const { timeZone } = digest.settings;
      return [digest, digestContent(own, known, { nowMs, timeZone })];
    }),
  );
  const isFull = (one: DueDigest) =>
    isWanted(one) && (isOverview(one) || (contents.get(one)?.changed.length ?? 0) > 0);
  const dropped = [...settled, ...filled.filter((one) => !isFull(one)).map(unsaid)];
  const full = filled.filter(isFull);
  if (full.length === 0) return { ready: [], dropped };
  const recipients = await addressMails(parts, full);
  if (!recipients) return { ready: [], dropped, unavailable: 'identity' };
  const ready = recipients.sendable.flatMap(({ due: digest, to, language }) => {
    const content = contents.get(digest);
    if (!content) return [];
    const unsubscribeToken = parts.tokens.issue({ userId: digest.userId, email: to }, 'digest');
    const addressed = { to, language, unsubscribeToken, date: new Date(nowMs) };
    return [{ due: digest, message: parts.compose(digest, content, addressed) }];
  });
  return { ready, dropped: [...dropped, ...recipients.dropped] };
}

/** Whether the user wants any e-mails about cases now. */
const isWanted = ({ settings }: DueDigest) =>
  Object.values(settings.email).some((timing) => timing !== 'never');

/** Whether it is sent without changes, too. */
const isOverview = ({ kind, settings }: DueDigest) => settings.email.digest === kind;

const unsaid = (one: DueDigest) => (isWanted(one) ? nothingChanged(one) : { due: one, reason: 'opted-out' });
