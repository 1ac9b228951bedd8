import { addressMails, type MailParts } from './address-mails.ts';
import { mailTiming } from './choose-deliveries.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { type DueAlert, judgeAlerts } from './judge-alerts.ts';
import type { Mail, MailComposer } from './mailer.ts';
import type { DeliveryKind } from './send-due-deliveries.ts';
import { kindOf } from './user-settings.ts';

/** A due e-mail of a notification, with its content. */
export interface DueMail extends DueAlert {
  readonly notificationId: string;
  /** Of the case, where a newer change is known than this one. */
  readonly newerStatus: string | undefined;
}

/**
 * Prepares e-mails of notifications: to users who want them, at the address of the account if it is proven, with the user's name
 * for the case.
 */
export function statusMails(
  parts: MailParts & { log: DeliveryLog<DueMail>; compose: MailComposer },
): DeliveryKind<DueMail, Mail> {
  const isWanted = ({ subject, settings }: DueMail) => mailTiming(kindOf(subject), settings) !== 'never';
  // An e-mail about the plan has no link that stops it.
  const stoppedBy = ({ subject }: DueMail) => {
    const kind = kindOf(subject);
    return kind === 'billing' ? 'status' : kind;
  };
  return {
    log: parts.log,
    prepare: async (due) =>
      addressMails(
        parts,
        await judgeAlerts({ name: 'send mails', ...parts }, due, isWanted),
        stoppedBy,
        (mail, own, to) => {
          const { timeZone } = mail.settings;
          const [nickname, formType] = [own.nickname ?? undefined, own.formType ?? undefined];
          return parts.compose({ ...mail, timeZone, nickname, formType, own }, to);
        },
      ),
  };
}
