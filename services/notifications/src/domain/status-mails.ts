import type { StoppableMail } from '@casewatch/contracts/notification-choices';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import { addressMails } from './addressed-mails.ts';
import { mailTiming } from './choose-deliveries.ts';
import type { DeliveryLog, DueMail } from './delivery-log.ts';
import { judgeAlerts } from './judge-alerts.ts';
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
 * Prepares e-mails of notifications: to users who want them, at the address of the account if it is proven, with the user's name
 * for the case.
 */
export function statusMails(parts: StatusMailParts): DeliveryKind<DueMail, Mail> {
  return { log: parts.log, prepare: (due) => prepare(parts, due) };
}

async function prepare(parts: StatusMailParts, due: readonly DueMail[]): Promise<Prepared<DueMail, Mail>> {
  const nowMs = parts.clock.nowMs();
  const isWanted = (mail: DueMail) => mailTiming(kindOf(mail.subject), mail.settings) !== 'never';
  const { awake, postponed, dropped, cases } = await judgeAlerts({ name: 'send mails', ...parts }, due, {
    nowMs,
    isWanted,
  });
  if (awake.length === 0) return { ready: [], dropped, postponed };
  const recipients = await addressMails(parts, awake);
  if (!recipients) return { ready: [], dropped, postponed, unavailable: 'identity' };
  const ready = recipients.sendable.map(({ due: mail, to, language }) => ({
    due: mail,
    message: parts.compose(
      {
        ...mail,
        timeZone: mail.settings.timeZone,
        nickname: cases.of(mail)?.nickname ?? undefined,
        formType: cases.of(mail)?.formType ?? undefined,
      },
      {
        to,
        language,
        unsubscribeToken: parts.tokens.issue({ userId: mail.userId, email: to }, stoppableOf(mail)),
        date: new Date(nowMs),
      },
    ),
  }));
  return { ready, dropped: [...dropped, ...recipients.dropped], postponed };
}

/** An e-mail about the plan has no link that stops it. */
function stoppableOf({ subject }: DueMail): StoppableMail {
  return kindOf(subject) === 'needsAction' ? 'needsAction' : 'status';
}
