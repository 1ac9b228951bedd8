import type { AdminRole } from '@casewatch/contracts/admin-roles';
import { signupBody } from '@casewatch/contracts/identity';
import { NAME_MAX_LENGTH } from '@casewatch/contracts/limits';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import * as client from 'openid-client';
import { z } from 'zod';
import { type ProvidedIdentity, ProviderFailure, type SignInProvider } from '../domain/sign-in-provider.ts';

export interface OpenIdOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  label: string;
  scope: string;
  roleClaim: string;
  roles: ReadonlyMap<string, AdminRole>;
  /** Where the provider sends the browser back to; made of PUBLIC_URL and of nothing that a request says. */
  redirectUri: string;
  logger: Logger;
}

const TIMEOUT_SECONDS = 10;
/** The provider's keys and addresses may change. */
const METADATA_LIFETIME_MS = 3_600_000;

/**
 * The OpenID provider at `issuer`: authorization code with PKCE, state and nonce; the signature of the ID token is
 * verified. It is asked for its metadata when they are needed, so that the product starts without it.
 */
export function createOpenIdProvider(options: OpenIdOptions): SignInProvider {
  const { label, roles, clientSecret, redirectUri, roleClaim, logger } = options;
  const configuration = createConfiguration(options);
  return {
    label,
    roles,
    attemptKey: clientSecret,
    authorizationUrl: (checks) =>
      attempt(logger, async () => {
        const url = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: options.scope,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
        });
        return url.href;
      }),
    identify: (query, checks) =>
      attempt(logger, async () => {
        const config = await configuration();
        const tokens = await client.authorizationCodeGrant(config, new URL(`?${query}`, redirectUri), {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new ProviderFailure('unverified');
        // Many providers put groups and e-mail address there only.
        const more = config.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
          : {};
        return identityOf({ ...more, ...claims }, roleClaim);
      }),
  };
}

function createConfiguration({ issuer, clientId, clientSecret }: OpenIdOptions) {
  const server = new URL(issuer);
  // Settings allow http on loopback only.
  const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const options = { execute: [client.enableNonRepudiationChecks, ...insecure], timeout: TIMEOUT_SECONDS };
  const discover = async () => {
    try {
      return await client.discovery(server, clientId, clientSecret, undefined, options);
    } catch (error) {
      throw new ProviderFailure('unavailable', error);
    }
  };
  let known: { config: client.Configuration; untilMs: number } | undefined;
  return async () => {
    if (known && performance.now() < known.untilMs) return known.config;
    const config = await discover();
    known = { config, untilMs: performance.now() + METADATA_LIFETIME_MS };
    return config;
  };
}

const texts = z.union([z.array(z.string()), z.string().transform((one) => [one])]).catch([]);
const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string(),
  email: signupBody.shape.email.optional().catch(undefined),
  // Some providers write it as a text.
  email_verified: z
    .union([z.literal(true), z.literal('true').transform(() => true)])
    .optional()
    .catch(undefined),
  name: z.string().trim().min(1).max(NAME_MAX_LENGTH).optional().catch(undefined),
});

function identityOf(claims: Record<string, unknown>, roleClaim: string): ProvidedIdentity {
  const { iss, sub, email, email_verified, name } = claimsSchema.parse(claims);
  return {
    issuer: iss,
    subject: sub,
    email,
    emailVerified: email_verified === true,
    name,
    groups: texts.parse(claims[roleClaim]),
  };
}

/** The cause goes to the log by its name and code: what the provider wrote may name a person. */
async function attempt<T>(logger: Logger, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const kind = error instanceof ProviderFailure ? error.kind : kindOf(error);
    logger.warn({ kind, cause: causeOf(error) }, 'sign-in provider: request failed, sign-in refused');
    throw error instanceof ProviderFailure ? error : new ProviderFailure(kind);
  }
}

const BUSY = new Set(['temporarily_unavailable', 'server_error']);
/** No answer, or none that a provider gives: a proxy in between, or a page of an outage. */
const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);
const SERVER_ERROR = 500;

function kindOf(error: unknown): ProviderFailure['kind'] {
  if (error instanceof client.AuthorizationResponseError)
    return BUSY.has(error.error) ? 'unavailable' : 'canceled';
  if (error instanceof client.ResponseBodyError)
    return error.status >= SERVER_ERROR ? 'unavailable' : 'unverified';
  // What fetch throws without an answer.
  if (error instanceof TypeError) return 'unavailable';
  return error instanceof client.ClientError && NO_ANSWER.has(error.code ?? '')
    ? 'unavailable'
    : 'unverified';
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const cause = error instanceof ProviderFailure && error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? `${cause.name} ${cause.code}` : cause.name;
}
