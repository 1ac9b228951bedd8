import { reportMailResult } from '@casewatch/contracts/mail-addresses';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import type { Mailer } from './mailer.ts';

/**
 * Sends, and reports to identity when a server refuses an address for good, and when one accepts an e-mail to an address that may
 * have been refused before. While identity is unavailable a refused e-mail is tried again, so that the refusal is reported.
 */
export function reportMailResults(
  mailer: Mailer,
  { services, logger }: { services: ServiceClient; logger: Logger },
): Mailer {
  async function report(email: string, accepted: boolean): Promise<boolean> {
    try {
      await services.call(reportMailResult, { body: { email, accepted } });
      return true;
    } catch (error) {
      logger.warn({ err: error, accepted }, 'send mails: result not reported to identity');
      return false;
    }
  }
  return {
    async send(mail, signal) {
      const outcome = await mailer.send(mail, signal);
      if (outcome.kind === 'sent') {
        if (mail.mayBeRefused) await report(mail.to, true);
        return outcome;
      }
      if (outcome.means !== 'no-such-address' || (await report(mail.to, false))) return outcome;
      return { kind: 'deferred', reason: outcome.reason };
    },
    close: () => mailer.close(),
  };
}
