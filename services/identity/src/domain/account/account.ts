import type { PayloadOf } from '@casewatch/contracts/event-type';
import type { userChanged } from '@casewatch/contracts/events';
import type { User } from '@casewatch/contracts/identity';
import type { Language } from '@casewatch/contracts/languages';
import type { Tier } from '@casewatch/contracts/limits';
import { AppError } from '@casewatch/service-kit/errors/app-error';

/** A person's account as it is stored. */
export interface Account {
  id: string;
  /** As typed, trimmed. */
  email: string;
  /** PHC string. */
  passwordHash: string;
  firstName: string;
  lastName: string;
  role: string | null;
  tier: Tier;
  /** Rises with every change that is published. */
  version: number;
  /** Sign-ins so far; signing up is none. */
  loginCount: number;
  /** Created by DEMO_ACCOUNTS, and removed without it. */
  isDemo: boolean;
  /** Whether the person has proven that the address is theirs; where no e-mails are sent no proof is asked for. */
  emailVerified: boolean;
  /** Whether mail servers refuse e-mails to the address for good. */
  emailRefused: boolean;
  /** Whether a renewal of the subscription was not paid, and is still to be. */
  paymentFailed: boolean;
  /** Null: as the browser asks for. */
  language: Language | null;
  /** What the browser asked for at the latest sign-up or sign-in; counts while none is chosen. Null: a demo account before its first sign-in. */
  lastLanguage: Language | null;
  /** Signs the account's device cookies. */
  deviceKey: string;
}

/** Returns what the person sees of their account. */
export function toUser(account: Account): User {
  const { id, firstName, lastName, email, role, tier, emailVerified, language } = account;
  const problems = {
    ...(account.emailRefused ? { emailRefused: true as const } : {}),
    ...(account.paymentFailed ? { paymentFailed: true as const } : {}),
  };
  return { id, firstName, lastName, email, role, tier, emailVerified, ...problems, language };
}

export function fullName({ firstName, lastName }: Pick<Account, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}

/** Returns what other services learn of a change of the account. */
export function changeOf(account: Account): PayloadOf<typeof userChanged> {
  const { id: userId, tier, version } = account;
  return { userId, name: fullName(account), tier, emailChanged: false, version };
}

/** Returns the key of an address: two are the same account exactly when their keys are equal; the contract admits ASCII only. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** Returns the role; an empty one is none. */
export function roleOrNone(role: string | null | undefined): string | null {
  return role || null;
}

export function emailTaken(cause?: unknown): AppError {
  return new AppError('EMAIL_TAKEN', 'EMAIL_TAKEN', { cause });
}
