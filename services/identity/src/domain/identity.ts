import type { User } from '@casewatch/contracts/identity';
import { AppError } from '@casewatch/service-kit/errors/app-error';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { Account } from './account/account.ts';
import type { Passcode } from './admin/passcode.ts';
import type { SignInProvider } from './admin/sign-in-provider.ts';
import type { AdminThrottle } from './limits/admin-throttle.ts';
import type { MailLimits } from './limits/mail-limits.ts';
import type { Throttle } from './limits/throttle.ts';
import type { PasskeyCeremonies } from './passkey/passkey-ceremonies.ts';
import type { PasswordHasher } from './password/password-hasher.ts';
import type { SessionLifetime } from './session/session.ts';
import type { Store } from './store.ts';

/** The dependencies of the use cases. */
export interface Identity {
  readonly store: Store;
  readonly hasher: PasswordHasher;
  readonly throttle: Throttle;
  readonly mailLimits: MailLimits;
  readonly ceremonies: PasskeyCeremonies;
  readonly clock: Clock;
  readonly lifetime: SessionLifetime;
  /** Whether demo accounts may sign in. */
  readonly demoAccounts: boolean;
  /** Whether e-mails about accounts are sent: addresses are proven, and forgotten passwords reset. */
  readonly sendsMails: boolean;
  /** The version of the terms of use and privacy policy that a person agrees to by signing up. */
  readonly policiesVersion: string | undefined;
  /** Makes every gateway forget what it caches of the user's sessions; after the commit that ended some. */
  forgetSessions(userId: string): void;
}

/** The outcome of a use case that opens a session: `sid` and `deviceCookie` are for the cookies and nothing else. */
export interface SignedIn {
  user: User;
  sid: string;
  /** By which this browser is recognized at its next sign-in. */
  deviceCookie: string;
}

/**
 * Returns the account, if it is still there and still as it was checked: a valid identity token outlives an account by
 * up to a minute, and deleting it or changing its password has ended this session too.
 * @throws AppError SIGNED_OUT
 */
export function present(account: Account | undefined): Account {
  if (!account) throw new AppError('SIGNED_OUT');
  return account;
}

/** The dependencies of the use cases of the admin session. */
export interface AdminArea {
  readonly store: Store;
  /** Undefined: it opens nothing. */
  readonly passcode: Passcode | undefined;
  /** The error text for a passcode that is entered then. */
  readonly offAdvice: string;
  readonly throttle: AdminThrottle;
  /** Undefined: administrators sign in with what they have here. */
  readonly provider: SignInProvider | undefined;
  /** For named administrators. */
  readonly signInThrottle: Throttle;
  readonly ceremonies: PasskeyCeremonies;
  readonly hasher: PasswordHasher;
  /** Links of invitations begin with it. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly lifetime: SessionLifetime;
}
