import type { AccountMail } from '@casewatch/contracts/account-mails';
import type { Language } from '@casewatch/contracts/languages';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Browser } from '../session/device.ts';
import { newSid } from '../session/session.ts';

/** An e-mail that was requested. Times are milliseconds since the epoch. */
export interface RequestedMail {
  id: string;
  kind: AccountMail['kind'];
  email: string;
  /** Null: the account that has the address when the e-mail is sent, if there is one. */
  userId: string | null;
  browser: Browser | null;
  /** Of the request that caused it. */
  language: Language;
  requestedAtMs: number;
  /** When it is too late to send it, and its links end. */
  expiresAtMs: number;
}

/** What a link allows, and of what account; `email` is the address it was sent to. */
export interface AccountToken {
  tokenHash: string;
  purpose: TokenPurpose;
  userId: string;
  email: string;
  expiresAtMs: number;
}
export type TokenPurpose = 'reset-password' | 'confirm-email' | 'change-email' | 'stop-email-change';

const DAY_MINUTES = 24 * 60;
export const TOKEN_MINUTES: Record<TokenPurpose, number> = {
  'reset-password': 30,
  'confirm-email': DAY_MINUTES,
  'change-email': DAY_MINUTES,
  'stop-email-change': DAY_MINUTES,
};
/** The links of a pending change of address: to the new address, and to the current one. */
export const EMAIL_CHANGE: readonly TokenPurpose[] = ['change-email', 'stop-email-change'];

/** Narrows the kinds of e-mail that have a link to what the link is for. */
export function tokenPurpose(kind: RequestedMail['kind']): kind is TokenPurpose {
  return kind in TOKEN_MINUTES;
}

/** Returns a new token, 256 random bits, and what is stored of it. */
export function newToken(): { token: string; tokenHash: string } {
  const { sid: token, sidHash: tokenHash } = newSid();
  return { token, tokenHash };
}

/** Returns one text for links that are expired, used, cut off or of no one: more would help only those who guess. */
export function linkInvalid(): AppError {
  return new AppError('LINK_INVALID');
}
