import type { AdminRole } from '@casewatch/contracts/admin-roles';
import type { Administrator as Shown } from '@casewatch/contracts/administrators';
import type { AppPage } from '@casewatch/contracts/app-pages';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import { newToken } from '../mail/account-mail.ts';
import type { Credentials } from './admin-credentials.ts';
import { newTotpKey } from './one-time-codes.ts';

/** A named administrator. Times are milliseconds since the epoch. */
export interface Administrator {
  readonly id: string;
  readonly email: string;
  readonly role: AdminRole;
  /** Null until the invitation is accepted, as are the credentials. */
  readonly name: string | null;
  readonly credentials: Credentials | null;
  readonly invitation: Invitation | null;
  /** By which the sign-in provider names them, and whether their role is that of a group there. */
  readonly provider: {
    readonly issuer: string;
    readonly subject: string;
    readonly givesRole: boolean;
  } | null;
  readonly createdAtMs: number;
  readonly lastSignInAtMs: number | null;
}

/** A link that sets name, password and one-time codes, once. */
export interface Invitation {
  readonly tokenHash: string;
  readonly totpKey: string;
  readonly expiresAtMs: number;
}

export const INVITATION_LIFETIME_MS = 3 * 24 * 3_600_000;
export const INVITATION_PATH = '/admin/invitation' satisfies AppPage;

/** Returns a new invitation and its link. The token stands behind the `#`, which browsers send to no server. */
export function newInvitation(nowMs: number, publicUrl: string): { invitation: Invitation; link: string } {
  const { token, tokenHash } = newToken();
  const link = new URL(`${INVITATION_PATH}#${token}`, publicUrl).href;
  return {
    invitation: {
      tokenHash,
      totpKey: newTotpKey(),
      expiresAtMs: nowMs + INVITATION_LIFETIME_MS,
    },
    link,
  };
}

export function toShown({
  id,
  email,
  name,
  role,
  credentials,
  invitation,
  provider,
  lastSignInAtMs,
}: Administrator): Shown {
  return {
    id,
    email,
    name,
    role,
    isActive: credentials !== null || provider !== null,
    invitedUntil: invitation === null ? null : new Date(invitation.expiresAtMs).toISOString(),
    lastSignInAt: lastSignInAtMs === null ? null : new Date(lastSignInAtMs).toISOString(),
  };
}

/** @throws AppError NOT_FOUND */
export function presentAdministrator(found: Administrator | undefined): Administrator {
  if (!found) throw new AppError('NOT_FOUND', { en: 'This administrator has been removed.' });
  return found;
}
