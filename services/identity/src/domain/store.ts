import type { Tier } from '@casewatch/contracts/limits';
import type { EventType } from '@casewatch/messaging/event-bus';
import type { Account } from './account.ts';
import type { AdminSession } from './admin-session.ts';
import type { Session } from './session.ts';

/** The port to the database. */
export interface Store {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly adminSessions: AdminSessions;
  /** Runs `work` in one transaction: all of its changes and events happen, or none. */
  transaction<T>(work: (inside: Work) => Promise<T>): Promise<T>;
}

export interface Work {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly adminSessions: AdminSessions;
  publish<Payload>(event: EventType<Payload>, payload: Payload): Promise<void>;
}

export type NewAccount = Omit<Account, 'id' | 'loginCount'> & { createdAtMs: number };

/**
 * Changes that a password allowed name the hash it was checked against: when the password has been changed
 * (or the account deleted) meanwhile, they change nothing and resolve to undefined.
 */
export interface Accounts {
  byId(id: string): Promise<Account | undefined>;
  byEmail(email: string): Promise<Account | undefined>;
  /** Of those who have an account. */
  mailAddresses(ids: readonly string[]): Promise<{ userId: string; email: string }[]>;
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
    change: Partial<Pick<Account, 'firstName' | 'lastName' | 'role'>>,
  ): Promise<Account>;
  countLogin(id: string, passwordHash: string): Promise<Account | undefined>;
  /** @throws AppError EMAIL_TAKEN */
  changeEmail(id: string, passwordHash: string, email: string): Promise<Account | undefined>;
  changePassword(
    id: string,
    passwordHash: string,
    change: { passwordHash: string; deviceKey: string },
  ): Promise<Account | undefined>;
  /** Makes every device cookie that was signed with another key worthless. */
  setDeviceKey(id: string, deviceKey: string): Promise<void>;
  /** Takes the sessions with it; resolves to what it was. */
  remove(id: string, passwordHash: string): Promise<Account | undefined>;
  /** Removes every demo account and resolves to their ids. */
  removeDemos(): Promise<string[]>;
}

export interface SessionOwner {
  session: Session;
  owner: { firstName: string; lastName: string; tier: Tier };
}

export interface Sessions {
  add(session: Session): Promise<void>;
  /** The session and its owner, unless it is over at `nowMs`. */
  find(sidHash: string, nowMs: number): Promise<SessionOwner | undefined>;
  /** Writes `lastSeenAtMs` and `expiresAtMs`, unless the session has ended meanwhile. */
  refresh(session: Session): Promise<void>;
  end(sidHash: string): Promise<void>;
  endAllOf(userId: string): Promise<void>;
  /** Removes at most `limit` sessions that are over at `nowMs` and resolves to how many. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
}

/** Expired sessions are kept for a while: they show which addresses administrators use. */
export interface AdminSessions {
  add(session: AdminSession): Promise<void>;
  /**
   * Extends a session that was opened with this passcode and is not over, never past its end; resolves to its id.
   */
  use(
    sidHash: string,
    how: { passcodeFingerprint: string; nowMs: number; expiresAtMs: number },
  ): Promise<string | undefined>;
  /** Resolves to its id, unless it is over already. */
  end(sidHash: string, nowMs: number): Promise<string | undefined>;
  /** Whether a session was ever opened from there, as far as they are kept. */
  isKnownNetwork(networkHash: string): Promise<boolean>;
  /** Removes those that came to their end before. */
  removeEnded(beforeMs: number): Promise<void>;
}
