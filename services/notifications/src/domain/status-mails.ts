import type { StoppableMail } from '@casewatch/contracts/notification-choices';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { addressMails } from './addressed-mails.ts';
import { findAlertedCases } from './alerted-cases.ts';
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
 * for the case. What users chose meanwhile counts: quiet hours and a snooze postpone, except what needs action, and what is about a
 * case that is not saved any more is dropped.
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
  const mails = sendable.map((one) => one.due);
  const cases = await findAlertedCases({ name: 'send mails', ...parts }, mails);
  const removed = mails.filter((mail) => cases.isRemoved(mail, nowMs));
  const [snoozed, awake] = postpone(
    mails.filter((mail) => !removed.includes(mail)),
    nowMs,
    (mail) => cases.awakeAtMs(mail, nowMs),
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
            nickname: cases.of(mail)?.nickname ?? undefined,
            formType: cases.of(mail)?.formType ?? undefined,
          },
          {
            to,
            language,
            unsubscribeToken: parts.tokens.issue(mail.userId, stoppableOf(mail)),
            date: new Date(nowMs),
          },
        ),
      })),
    dropped: [
      ...unwanted,
      ...recipients.dropped,
      ...removed.map((mail) => ({ due: mail, reason: 'removed' })),
    ],
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
  const ready = timed.filter(({ untilMs }) => untilMs <= nowMs).map((one) => one.due);
  return [waiting, ready];
}

/** An e-mail about the plan has no link that stops it. */
function stoppableOf({ subject }: DueMail): StoppableMail {
  return kindOf(subject) === 'needsAction' ? 'needsAction' : 'status';
}
