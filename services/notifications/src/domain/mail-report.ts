import { reportMailResult } from '@casewatch/contracts/mail-addresses';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { ServiceClient } from '@casewatch/service-kit/http/service-client';
import type { UnsubscribeTokens } from './mailer.ts';
import { stopEmails } from './stop-emails.ts';
import type { SettingsStore } from './store.ts';

/** Ties the Message-ID of an e-mail to its recipient. */
export interface RecipientTags {
  tagged(messageId: string, email: string): string;
  /** Whether an e-mail with this Message-ID was sent to the address, in any case. */
  isTo(messageId: string, email: string): boolean;
}

/**
 * What a message reports of an e-mail:
 * - `refused`: it did not arrive for good, because of its address, which is one of `addresses`.
 * - `complaint`: its recipient called it spam; with the links that stop such e-mails.
 */
export type MailReport =
  | {
      readonly kind: 'refused';
      readonly addresses: readonly string[];
      readonly messageIds: readonly string[];
    }
  | { readonly kind: 'complaint'; readonly stopTokens: readonly string[] }
  | { readonly kind: 'other' };

export type MailReportResult = 'address-refused' | 'emails-stopped' | 'ignored';

interface Deps {
  tags: RecipientTags;
  tokens: UnsubscribeTokens;
  settings: SettingsStore;
  services: ServiceClient;
}

/**
 * Marks the address of a bounce as refused, and ends e-mails about cases to someone who complains of them, each only where the report
 * proves that it is about an e-mail of ours to that address; twice is no error.
 * @throws AppError UNAVAILABLE while identity can't be asked
 */
export async function receiveMailReport(
  { tags, tokens, settings, services }: Deps,
  report: MailReport,
  nowMs: number,
): Promise<MailReportResult> {
  if (report.kind === 'refused') {
    const email = report.addresses.find((address) => report.messageIds.some((id) => tags.isTo(id, address)));
    if (email === undefined) return 'ignored';
    await services.call(reportMailResult, { body: { email, accepted: false } });
    return 'address-refused';
  }
  if (report.kind === 'other') return 'ignored';
  const token = report.stopTokens.find((one) => tokens.read(one));
  if (token === undefined) return 'ignored';
  try {
    await stopEmails({ settings, tokens, services }, token, { all: true, nowMs });
    return 'emails-stopped';
  } catch (error) {
    // The account has another address by now.
    if (error instanceof AppError && error.code === 'INVALID_SIGNATURE') return 'ignored';
    throw error;
  }
}
