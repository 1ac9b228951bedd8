import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import type { StoppableMail } from '@casewatch/contracts/notification-choices';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { DueDelivery } from './delivery-log.ts';
import type { Addressed, Mail, UnsubscribeTokens } from './mailer.ts';
import type { Prepared } from './send-due-deliveries.ts';

/** What the preparation of e-mails to users needs. */
export interface MailParts {
  services: ServiceClient;
  tokens: UnsubscribeTokens;
  clock: Clock;
  logger: Logger;
}

/** Asks identity where e-mails go, and in which language, to proven addresses only, and writes those that are ready. */
export async function addressMails<Due extends DueDelivery & { readonly userId: string }, Content>(
  { services, tokens, clock, logger }: MailParts,
  { ready, dropped, ...judged }: Prepared<Due, Content>,
  stoppedBy: (due: Due) => StoppableMail,
  compose: (due: Due, content: Content, addressed: Addressed) => Mail,
): Promise<Prepared<Due, Mail>> {
  if (ready.length === 0) return { ready: [], dropped, ...judged };
  const addresses = await askAddresses();
  if (!addresses) return { ready: [], dropped, ...judged, unavailable: 'identity' };
  const date = new Date(clock.nowMs());
  const written: { due: Due; message: Mail }[] = [];
  const unaddressed: { due: Due; reason: string }[] = [];
  for (const { due, message } of ready) {
    const address = addresses.get(due.userId);
    if (address?.verified) {
      const { email: to, language, refused } = address;
      const unsubscribeToken = tokens.issue({ userId: due.userId, email: to }, stoppedBy(due));
      const mail = compose(due, message, { to, language, unsubscribeToken, date });
      written.push({ due, message: refused ? { ...mail, mayBeRefused: true } : mail });
    } else unaddressed.push({ due, reason: address ? 'unverified' : 'no-account' });
  }
  return { ...judged, ready: written, dropped: [...dropped, ...unaddressed] };

  async function askAddresses() {
    const userIds = [...new Set(ready.map(({ due }) => due.userId))];
    try {
      const answer = await services.call(listMailAddresses, { body: { userIds } });
      return new Map(answer.addresses.map((one) => [one.userId, one]));
    } catch (error) {
      logger.warn({ err: error, mails: ready.length }, 'send mails: address lookup failed, will retry');
      return undefined;
    }
  }
}
