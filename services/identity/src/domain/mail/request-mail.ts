import { accountMailRequested } from '@casewatch/contracts/events';
import { uuidV7 } from '@casewatch/service-kit/database/uuid-v7';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Account } from '../account/account.ts';
import type { Identity } from '../identity.ts';
import type { Work } from '../store.ts';
import { type RequestedMail, TOKEN_MINUTES, tokenPurpose } from './account-mail.ts';

/** A notice that could not be sent for this time is outdated. */
const NOTICE_MINUTES = 3 * 24 * 60;
/** More of one kind within an hour would bury the others, and say nothing new. */
const MAX_NOTICES = 10;
const HOUR_MS = 3_600_000;

type MailRequest = Pick<RequestedMail, 'kind' | 'email' | 'language'> &
  Partial<Pick<RequestedMail, 'userId' | 'browser'>>;

/** Requests an e-mail with the transaction: it is sent if, and not before, the transaction commits. */
export async function requestMail(
  { mails, publish }: Pick<Work, 'mails' | 'publish'>,
  { kind, email, language, userId = null, browser = null }: MailRequest,
  nowMs: number,
): Promise<void> {
  const minutes = tokenPurpose(kind) ? TOKEN_MINUTES[kind] : NOTICE_MINUTES;
  const id = uuidV7(nowMs);
  const expiresAtMs = nowMs + minutes * 60_000;
  await mails.add({ id, kind, email, language, userId, browser, requestedAtMs: nowMs, expiresAtMs });
  await publish(accountMailRequested, { mailId: id });
}

/**
 * Requests a notice to the account's address, where e-mails are sent and the address is proven; at most ten of a kind an
 * hour. Within a transaction that has locked or changed the account.
 */
export async function notifyAddress(
  { sendsMails }: Identity,
  work: Pick<Work, 'mails' | 'publish'>,
  account: Account,
  notice: Pick<MailRequest, 'kind' | 'browser' | 'language'>,
  nowMs: number,
): Promise<void> {
  if (!sendsMails || !account.emailVerified || account.isDemo) return;
  if ((await work.mails.countOf(account.id, notice.kind, nowMs - HOUR_MS)) >= MAX_NOTICES) return;
  await requestMail(work, { ...notice, email: account.email, userId: account.id }, nowMs);
}

/** @throws AppError UNAVAILABLE where no e-mails are sent */
export function requireMails({ sendsMails }: Identity): void {
  if (sendsMails) return;
  throw new AppError('UNAVAILABLE', 'no-emails');
}
