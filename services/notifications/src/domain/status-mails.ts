import { type CaseDetails, listCaseNicknames } from '@casewatch/contracts/case-nicknames';
import type { StoppableMail } from '@casewatch/contracts/notification-choices';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { addressMails } from './addressed-mails.ts';
import { mailTiming, sendableAt } from './choose-deliveries.ts';
import type { DeliveryLog, DueMail } from './delivery-log.ts';
import type { Mail, MailComposer, UnsubscribeTokens } from './mailer.ts';
import type { DeliveryKind, Prepared } from './send-due-deliveries.ts';
import { kindOf } from './user-settings.ts';

interface StatusMailParts {
  log: DeliveryLog;
  services: ServiceClient;
  compose: MailComposer;
  tokens: UnsubscribeTokens;
  clock: Clock;
  logger: Logger;
}

/**
 * E-mails of notifications: to users who want them, at the address of the account if it is proven, with the user's name
 * for the case. What users chose meanwhile counts: quiet hours and a snooze postpone, except what needs action.
 */
export function statusMails(parts: StatusMailParts): DeliveryKind<DueMail, Mail> {
  return { log: parts.log, prepare: (due) => prepare(parts, due) };
}

async function prepare(parts: StatusMailParts, due: readonly DueMail[]): Promise<Prepared<DueMail, Mail>> {
  const nowMs = parts.clock.nowMs();
  const isWanted = (mail: DueMail) => mailTiming(kindOf(mail.subject), mail.settings) !== 'never';
  const unwanted = due.filter((mail) => !isWanted(mail)).map((mail) => ({ due: mail, reason: 'opted-out' }));
  const [early, ready] = postpone(due.filter(isWanted), nowMs, (mail) =>
    sendableAt(kindOf(mail.subject), mail.settings, nowMs),
  );
  if (ready.length === 0) return { ready: [], dropped: unwanted, postponed: early };
  const recipients = await addressMails(parts, ready);
  if (!recipients) return { ready: [], dropped: unwanted, postponed: early, unavailable: 'identity' };
  const { sendable } = recipients;
  const cases = await casesOf(
    parts,
    sendable.map((one) => one.due),
  );
  const caseOf = ({ userId, subject }: DueMail) =>
    subject.kind === 'status' ? cases.get(keyOf({ userId, ...subject })) : undefined;
  const [snoozed, awake] = postpone(
    sendable.map((one) => one.due),
    nowMs,
    (mail) => (kindOf(mail.subject) === 'needsAction' ? nowMs : Date.parse(caseOf(mail)?.snoozedUntil ?? '')),
  );
  const isAwake = new Set(awake);
  return {
    ready: sendable
      .filter((one) => isAwake.has(one.due))
      .map(({ due: mail, to, language }) => ({
        due: mail,
        message: parts.compose(
          {
            ...mail,
            notificationId: mail.id,
            timeZone: mail.settings.timeZone,
            nickname: caseOf(mail)?.nickname ?? undefined,
            formType: caseOf(mail)?.formType ?? undefined,
          },
          {
            to,
            language,
            unsubscribeToken: parts.tokens.issue(mail.userId, stoppableOf(mail)),
            date: new Date(nowMs),
          },
        ),
      })),
    dropped: [...unwanted, ...recipients.dropped],
    postponed: [...early, ...snoozed],
  };
}

/** Splits into those that wait until then, and those that do not. */
function postpone(
  mails: readonly DueMail[],
  nowMs: number,
  until: (mail: DueMail) => number,
): [waiting: { due: DueMail; untilMs: number }[], ready: DueMail[]] {
  const timed = mails.map((mail) => ({ due: mail, untilMs: until(mail) }));
  const waiting = timed.filter(({ untilMs }) => untilMs > nowMs);
  return [waiting, timed.filter((one) => !waiting.includes(one)).map((one) => one.due)];
}

/** An e-mail about the plan has no link that stops it. */
function stoppableOf({ subject }: DueMail): StoppableMail {
  return kindOf(subject) === 'needsAction' ? 'needsAction' : 'status';
}

/** What the user calls a case is a convenience: an e-mail is sent without it rather than late. */
async function casesOf({ services, logger }: StatusMailParts, mails: readonly DueMail[]) {
  const cases = mails.flatMap(({ userId, subject }) =>
    subject.kind === 'status' ? { userId, receiptNumber: subject.receiptNumber } : [],
  );
  if (cases.length === 0) return new Map<string, Partial<CaseDetails>>();
  try {
    const { nicknames, details } = await services.call(listCaseNicknames, { body: { cases } });
    return new Map<string, Partial<CaseDetails>>(
      (details ?? nicknames).map((found) => [keyOf(found), found]),
    );
  } catch (error) {
    logger.warn(
      { err: error, mails: mails.length },
      'send mails: case lookup failed, sending without nicknames',
    );
    return new Map<string, Partial<CaseDetails>>();
  }
}

const keyOf = ({ userId, receiptNumber }: { userId: string; receiptNumber: string }) =>
  `${userId} ${receiptNumber}`;
