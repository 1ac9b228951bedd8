import type { AdminRole } from '@casewatch/contracts/admin-roles';
import type { Language } from '@casewatch/contracts/languages';
import type { Tier } from '@casewatch/contracts/limits';
import type { EventType } from '@casewatch/messaging/event-bus';
import type { SqlExecutor } from '@casewatch/service-kit/database/sql-executor';
import type { Account } from './account/account.ts';
import type { Credentials, SecondFactor } from './admin/admin-credentials.ts';
import type { AdminSession } from './admin/admin-session.ts';
import type { Administrator, Invitation } from './admin/administrator.ts';
import type { AccountToken, RequestedMail, TokenPurpose } from './mail/account-mail.ts';
import type { Passkey, PasskeyChallenge, PasskeyOwner } from './passkey/passkey.ts';
import type { Session, SessionTimes } from './session/session.ts';

interface Tables {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly deviceSessions: DeviceSessions;
  readonly mails: AccountMails;
  readonly passkeys: Passkeys;
  readonly adminSessions: AdminSessions;
  readonly administrators: Administrators;
}

/** The port to the database. */
export interface Store extends Tables {
  /** Runs `work` in one transaction: all of its changes and events happen, or none. */
  transaction<T>(work: (inside: Work) => Promise<T>): Promise<T>;
}

export interface Work extends Tables {
  /** Runs `work` and undoes it: what is done for nothing takes as long as what is done. */
  rehearse(work: () => Promise<unknown>): Promise<void>;
  publish<Payload>(event: EventType<Payload>, payload: Payload): Promise<void>;
}

export type NewAccount = Omit<Account, 'id' | 'version' | 'loginCount' | 'emailRefused' | 'paymentFailed'> & {
  createdAtMs: number;
  /** Null for an account that was not made by a sign-up. */
  policiesVersion: string | null;
};

export interface MailAddress {
  userId: string;
  email: string;
  verified: boolean;
  refused?: true;
  language: Language;
}

/**
 * Changes that a password allowed name the hash it was checked against: when the password has been changed
 * (or the account deleted) in the meantime, they change nothing and resolve to undefined.
 */
export interface Accounts {
  byId(id: string): Promise<Account | undefined>;
  byEmail(email: string): Promise<Account | undefined>;
  /** Of those who have an account. */
  mailAddresses(ids: readonly string[]): Promise<MailAddress[]>;
  /** Ids of up to `limit` accounts whose last name or e-mail address begins like this, in any case. */
  beginningWith(start: string, limit: number): Promise<string[]>;
  /** Reads the account and keeps it from changing until the transaction ends. */
  lock(id: string): Promise<Account | undefined>;
  /** @throws AppError EMAIL_TAKEN */
  create(account: NewAccount): Promise<Account>;
  /** Like `create`, but resolves to undefined when the e-mail address is taken. */
  createIfFree(account: NewAccount): Promise<Account | undefined>;
  changeProfile(
    id: string,
    change: Partial<Pick<Account, 'firstName' | 'lastName' | 'role' | 'language'>>,
  ): Promise<Account>;
  /** Keeps what the browser asks for, too. */
  countLogin(id: string, passwordHash: string, language: Language): Promise<Account | undefined>;
  /** A proof is that of the address before: for another one there is none. @throws AppError EMAIL_TAKEN */
  changeEmail(
    id: string,
    passwordHash: string,
    change: { email: string; isAnother: boolean },
  ): Promise<Account | undefined>;
  changePassword(
    id: string,
    passwordHash: string,
    change: { passwordHash: string; deviceKey: string },
  ): Promise<Account | undefined>;
  /** Sets a password without the old one, by a link that proves the address. */
  resetPassword(
    id: string,
    change: { passwordHash: string; deviceKey: string; nowMs: number },
  ): Promise<void>;
  /** Makes the address the account's, and proven. @throws AppError EMAIL_TAKEN */
  confirmEmail(id: string, email: string, nowMs: number): Promise<Account>;
  /** Notes whether e-mails to the address are accepted, for the account that has it, if any. */
  noteMailResult(email: string, accepted: boolean, nowMs: number): Promise<void>;
  /** Makes every device cookie that was signed with another key worthless. */
  setDeviceKey(id: string, deviceKey: string): Promise<void>;
  /** Takes the sessions with it; resolves to what it was. */
  remove(id: string, passwordHash: string): Promise<Account | undefined>;
  /** Removes every demo account and resolves to their ids. */
  removeDemos(): Promise<string[]>;
}

/** What events of billing change, in the transaction that marks them as handled. */
export interface UserRows {
  /**
   * Applies the newest change whatever the order of delivery: a late one, redriven from the dead letters, has no effect.
   * Resolves to the account's name and version; undefined when it has that tier already or does not exist.
   */
  changePlan(
    tx: SqlExecutor,
    userId: string,
    change: { tier: Tier; paymentFailed: boolean; subscriptionVersion: number },
  ): Promise<{ name: string; version: number } | undefined>;
}

export interface SessionOwner {
  id: string;
  session: SessionTimes;
  owner: { firstName: string; lastName: string; tier: Tier };
}

export interface Sessions {
  add(session: Session): Promise<void>;
  /** The session and its owner, unless it is over at `nowMs`. */
  find(sidHash: string, nowMs: number): Promise<SessionOwner | undefined>;
  /** Writes `lastSeenAtMs` and `expiresAtMs`, unless the session has already ended. */
  refresh(session: SessionTimes): Promise<void>;
  /** Whether the session of this id is not over at `nowMs`. */
  isLive(session: { userId: string; sessionId: string }, nowMs: number): Promise<boolean>;
  /** Removes the session and resolves to whose it was and its id. */
  end(sidHash: string): Promise<{ userId: string; sessionId: string } | undefined>;
  endAllOf(userId: string): Promise<void>;
  /** Those that are not over at `nowMs`, the most recently used first. */
  listOf(userId: string, nowMs: number): Promise<Session[]>;
  /** Resolves to whether the user had this session. */
  endById(userId: string, id: string): Promise<boolean>;
  /** Removes at most `limit` sessions that are over at `nowMs` and resolves to how many. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
}

/** The sessions to whose devices push messages may go. What ends a session ends that; a session that expires leaves it. */
export interface DeviceSessions {
  /** False, and nothing happens, when the session is over at `nowMs`. */
  grant(session: { userId: string; sessionId: string }, nowMs: number): Promise<boolean>;
  isGranted(session: { userId: string; sessionId: string }): Promise<boolean>;
  /** Resolves to whether the session had it. */
  end(session: { userId: string; sessionId: string }): Promise<boolean>;
  /** Of all sessions but the kept one; resolves to the ids of those that had it. */
  endAllOf(userId: string, keptSessionId: string | undefined): Promise<string[]>;
}

/** E-mails about accounts that were requested, and the links that were sent in them. */
export interface AccountMails {
  add(mail: RequestedMail): Promise<void>;
  /** Of these, those whose time is not over. */
  due(ids: readonly string[], nowMs: number): Promise<RequestedMail[]>;
  addToken(token: AccountToken): Promise<void>;
  findToken(
    tokenHash: string,
    purposes: readonly TokenPurpose[],
    nowMs: number,
  ): Promise<AccountToken | undefined>;
  /** Uses a link up: of concurrent uses one gets it. */
  takeToken(
    tokenHash: string,
    purposes: readonly TokenPurpose[],
    nowMs: number,
  ): Promise<AccountToken | undefined>;
  /**
   * Ends the account's links, and withdraws the requests for e-mails with one, also those by its address; of these
   * purposes, or all. Within a transaction that has locked or changed the account: a link is made under the same lock,
   * for a request that still stands.
   */
  endLinksOf(account: Pick<Account, 'id' | 'email'>, purposes?: readonly TokenPurpose[]): Promise<void>;
  /** How many e-mails of this kind were requested for the account since `sinceMs`. */
  countOf(userId: string, kind: RequestedMail['kind'], sinceMs: number): Promise<number>;
  /** Removes at most `limit` e-mails and links each whose time was over at `nowMs`; resolves to how many. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
}

/** Passkeys, and the challenges that were issued and not answered yet. */
export interface Passkeys {
  /** The oldest first. */
  listOf(owner: PasskeyOwner): Promise<Passkey[]>;
  byCredentialId(credentialId: string): Promise<Passkey | undefined>;
  /** False, and nothing happens, when there is a passkey with this credential id. */
  add(passkey: Passkey): Promise<boolean>;
  rename(owner: PasskeyOwner, id: string, name: string): Promise<Passkey | undefined>;
  removeAllOf(owner: PasskeyOwner): Promise<void>;
  /** Resolves to whether the owner had this passkey. */
  remove(owner: PasskeyOwner, id: string): Promise<boolean>;
  /** False, and nothing happens, when the counter does not grow, unless the authenticator does not count. */
  recordUse(id: string, use: { counter: number; synced: boolean; nowMs: number }): Promise<boolean>;
  addChallenge(challenge: PasskeyChallenge): Promise<void>;
  /** Uses a challenge up: of concurrent answers one gets it. */
  takeChallenge(challenge: Omit<PasskeyChallenge, 'expiresAtMs'>, nowMs: number): Promise<boolean>;
  endChallengesOf(owner: PasskeyOwner): Promise<void>;
  /** Removes at most `limit` challenges whose time was over at `nowMs`; resolves to how many. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
}

export interface UsedAdminSession {
  id: string;
  /** Undefined: the passcode opened it. */
  administrator: { id: string; name: string; role: AdminRole } | undefined;
}

/** Expired sessions are kept for a while: they show which addresses administrators use. */
export interface AdminSessions {
  add(session: AdminSession): Promise<void>;
  /** Extends a session of an administrator or of this passcode that is not over, never past its end. */
  use(
    sidHash: string,
    how: { passcodeFingerprint: string | undefined; nowMs: number; expiresAtMs: number },
  ): Promise<UsedAdminSession | undefined>;
  /** Resolves to what it was, unless it is over already. */
  end(sidHash: string, nowMs: number): Promise<UsedAdminSession | undefined>;
  endAllOf(administratorId: string, nowMs: number): Promise<void>;
  /** Whether a session was ever opened from there, as far as they are kept. */
  isKnownNetwork(networkHash: string): Promise<boolean>;
  /** Removes those that came to their end before. */
  removeEnded(beforeMs: number): Promise<void>;
}

export interface Administrators {
  /** By e-mail address. */
  list(): Promise<Administrator[]>;
  byEmail(email: string): Promise<Administrator | undefined>;
  byInvitation(tokenHash: string): Promise<Administrator | undefined>;
  byProvider(identity: { issuer: string; subject: string }): Promise<Administrator | undefined>;
  /** Reads the administrator and keeps them from changing until the transaction ends. */
  lock(id: string): Promise<Administrator | undefined>;
  /**
   * The ids of owners who can sign in, none of whom changes until the transaction ends. `issuer`: the provider with which they can;
   * an account of another one opens nothing.
   */
  lockActiveOwners(ways: { issuer: string | undefined }): Promise<string[]>;
  /** False, and nothing happens, when the e-mail address, or the account of the provider, is taken. */
  create(administrator: Administrator): Promise<boolean>;
  setInvitation(id: string, invitation: Invitation): Promise<void>;
  setRole(id: string, role: AdminRole, how?: { givenByProvider: true }): Promise<void>;
  /** Sets name, role and account of the provider, and ends the invitation. */
  link(administrator: Administrator): Promise<void>;
  /** Takes every way to sign in; an owner may open a new one. */
  endAccess(id: string): Promise<void>;
  recordSignIn(id: string, nowMs: number): Promise<void>;
  /** Sets name and credentials in place of those before, and ends the invitation. */
  accept(
    id: string,
    set: { name: string; credentials: Credentials; recoveryHashes: readonly string[]; step: number },
  ): Promise<void>;
  /** Takes a time step or a recovery code; false for one that was taken before, or a step before such a one. */
  useSecondFactor(id: string, factor: SecondFactor): Promise<boolean>;
  /** Takes their sessions with it. */
  remove(id: string): Promise<void>;
}
