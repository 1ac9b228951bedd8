import type { Passkey as PasskeyItem } from '@casewatch/contracts/passkeys';
import { AppError } from '@casewatch/service-kit/errors/app-error';

/** Users and administrators have passkeys of their own, and none opens the other's account. */
export type PasskeyOwner = { userId: string } | { administratorId: string };

/** A passkey as it is stored. Times are milliseconds since the epoch. */
export interface Passkey {
  id: string;
  /** The authenticator's id of it, base64url. */
  credentialId: string;
  owner: PasskeyOwner;
  /** COSE_Key (RFC 9052). */
  publicKey: Uint8Array<ArrayBuffer>;
  /** The authenticator's count of signatures; 0 for those that do not count. */
  counter: number;
  transports: readonly string[];
  synced: boolean;
  name: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

/** What a challenge may be answered for. */
export type ChallengePurpose = 'register' | 'prove' | 'sign-in' | 'admin-sign-in';

/** An issued challenge; without an owner until a sign-in says whose it is. */
export interface PasskeyChallenge {
  challengeHash: string;
  purpose: ChallengePurpose;
  owner: PasskeyOwner | undefined;
  expiresAtMs: number;
}

export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

/** Returns what the owner sees of a passkey. */
export function toPasskeyItem({ id, name, createdAtMs, lastUsedAtMs, synced }: Passkey): PasskeyItem {
  return {
    id,
    name,
    createdAt: new Date(createdAtMs).toISOString(),
    lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
    isSynced: synced,
  };
}

/** Returns the account's id as authenticators keep it (WebAuthn, 5.4.3), base64url: random, and nothing that a person is known by. */
export function userHandle(owner: PasskeyOwner): string {
  const id = 'userId' in owner ? owner.userId : owner.administratorId;
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Returns one text for every reason: more would help only those who try. */
export function passkeyRefused(): AppError {
  return new AppError('PASSKEY_REFUSED');
}
