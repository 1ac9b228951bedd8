import { type AccountMail, prepareAccountMails } from '@casewatch/contracts/account-mails';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DeliveryLog, DueDelivery } from './delivery-log.ts';
import type { Mail } from './mailer.ts';
import type { DeliveryKind, Prepared } from './send-due-deliveries.ts';

/** Writes the e-mail about an account. */
export type AccountMailComposer = (mail: AccountMail) => Mail;

interface AccountMailParts {
  log: DeliveryLog<DueDelivery>;
  services: ServiceClient;
  compose: AccountMailComposer;
  logger: Logger;
}

/**
 * Prepares e-mails about accounts. Recipient and link come from identity for this attempt and stay in memory; the link is not
 * stored here, and no event carries it.
 */
export function accountMails({
  log,
  services,
  compose,
  logger,
}: AccountMailParts): DeliveryKind<DueDelivery, Mail> {
  async function prepare(due: readonly DueDelivery[]): Promise<Prepared<DueDelivery, Mail>> {
    let mails: ReadonlyMap<string, AccountMail>;
    try {
      const answer = await services.call(prepareAccountMails, { body: { mailIds: due.map(({ id }) => id) } });
      mails = new Map(answer.mails.map((mail) => [mail.mailId, mail]));
    } catch (error) {
      logger.warn({ err: error, mails: due.length }, 'send mails: account lookup failed, will retry');
      return { ready: [], dropped: [], unavailable: 'identity' };
    }
    const ready = due.flatMap((one) => {
      const mail = mails.get(one.id);
      return mail ? [{ due: one, message: { ...compose(mail), mayBeRefused: true as const } }] : [];
    });
    // Also what was requested for an address without an account: here nothing more is known of it.
    const dropped = due.filter(({ id }) => !mails.has(id)).map((one) => ({ due: one, reason: 'not-needed' }));
    return { ready, dropped };
  }
  return { log, prepare };
}
