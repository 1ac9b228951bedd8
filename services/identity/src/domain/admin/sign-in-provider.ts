import type { AdminRole } from '@casewatch/contracts/admin-roles';
import type { AppPage } from '@casewatch/contracts/app-pages';

/** Where the provider sends the browser back to: a page of the web app. */
export const SINGLE_SIGN_ON_PATH = '/admin/single-sign-on' satisfies AppPage;

/** The team's OpenID provider, with which administrators sign in. */
export interface SignInProvider {
  /** Its name for people. */
  readonly label: string;
  /** As it is configured, and as `canonicalIssuer` writes it. */
  readonly issuer: string;
  /** Which group gives which role. */
  readonly roles: ReadonlyMap<string, AdminRole>;
  /** Makes what an attempt sends from what the browser keeps; see `ProviderAttempt`. */
  readonly attemptKey: string;
  /** Where the browser goes. @throws ProviderFailure */
  authorizationUrl(checks: Checks): Promise<string>;
  /** Who the provider says it is, from the query that it sent the browser back with. @throws ProviderFailure */
  identify(query: URLSearchParams, checks: Checks): Promise<ProvidedIdentity>;
}

/** What binds the provider's answer to the request: state and nonce come back, the verifier proves who asked (PKCE). */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The verified claims of a person. */
export interface ProvidedIdentity {
  /** Issuer and subject together name a person for good; an e-mail address may pass to another. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** Whether the answer that has the e-mail address calls it verified. */
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  /** Undefined: the provider does not say. That is not the same as none, and nothing follows from it. */
  readonly groups: readonly string[] | undefined;
}

/** Returns an issuer without the slash at its end, which some providers write at one time and not at another. */
export function canonicalIssuer(issuer: string): string {
  return issuer.replace(/\/+$/, '');
}

/** Why the provider identified no one; the cause goes to the log and to no page. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly kind: 'unavailable' | 'canceled' | 'unverified';
  constructor(kind: ProviderFailure['kind'], cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}
