import type { Language } from '@casewatch/contracts/languages';
import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { Logger } from '@casewatch/service-kit/runtime/logger';

interface Recipients<Due> {
  readonly sendable: readonly { readonly due: Due; readonly to: string; readonly language: Language }[];
  readonly dropped: readonly { readonly due: Due; readonly reason: string }[];
}

/** Asks identity where e-mails go, and in which language: to proven addresses only. Undefined while identity is unavailable. */
export async function addressMails<Due extends { readonly userId: string }>(
  { services, logger }: { services: ServiceClient; logger: Logger },
  mails: readonly Due[],
): Promise<Recipients<Due> | undefined> {
  const userIds = [...new Set(mails.map(({ userId }) => userId))];
  try {
    const { addresses } = await services.call(listMailAddresses, { body: { userIds } });
    const found = new Map(addresses.map((one) => [one.userId, one]));
    const sendable = mails.flatMap((due) => {
      const address = found.get(due.userId);
      return address?.verified ? [{ due, to: address.email, language: address.language }] : [];
    });
    const isSendable = new Set(sendable.map(({ due }) => due));
    const dropped = mails
      .filter((due) => !isSendable.has(due))
      .map((due) => ({ due, reason: found.has(due.userId) ? 'unverified' : 'no-account' }));
    return { sendable, dropped };
  } catch (error) {
    logger.warn({ err: error, mails: mails.length }, 'send mails: address lookup failed, will retry');
    return undefined;
  }
}
