import type { AdminRole } from '@casewatch/contracts/admin-roles';
import { signupBody } from '@casewatch/contracts/identity';
import { NAME_MAX_LENGTH } from '@casewatch/contracts/limits';
import type { Logger } from '@casewatch/service-kit/runtime/logger';
import * as client from 'openid-client';
import { z } from 'zod';
import {
  canonicalIssuer,
  type ProvidedIdentity,
  ProviderFailure,
  type SignInProvider,
} from '../domain/admin/sign-in-provider.ts';

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
 * Creates the OpenID provider at `issuer`: authorization code with PKCE, state and nonce; the signature of the ID token is
 * verified. It is asked for its metadata when they are needed, so that the product starts without it.
 */
export function createOpenIdProvider(options: OpenIdOptions): SignInProvider {
  const { label, roles, clientSecret, redirectUri, roleClaim, logger } = options;
  const configuration = createConfiguration(options);
  return {
    label,
    issuer: canonicalIssuer(options.issuer),
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
        // OpenID Connect Core, 3.1.3.7: one that was issued to another party is not for us.
        if (!claims || (claims.azp !== undefined && claims.azp !== options.clientId)) {
          throw new ProviderFailure('unverified');
        }
        // Many providers put groups and e-mail address there only.
        const more = config.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
          : {};
        return identityOf(claims, more, roleClaim);
      }),
  };
}

function createConfiguration({ issuer, clientId, clientSecret }: OpenIdOptions) {
  const server = new URL(issuer);
  // Settings allow http on loopback only.
  const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const options = { execute: [client.enableNonRepudiationChecks, ...insecure], timeout: TIMEOUT_SECONDS };
  const discoverAt = (at: URL) => client.discovery(at, clientId, clientSecret, undefined, options);
  const discover = async () => {
    try {
      return await discoverAt(server).catch((error: unknown) => {
        const other = otherSlash(server, error);
        if (!other) throw error;
        return discoverAt(other);
      });
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

/** The issuer that the metadata name, where it differs from the configured one in the slash at its end alone. */
function otherSlash(server: URL, error: unknown): URL | undefined {
  if (!(error instanceof client.ClientError)) return undefined;
  const issuer = metadataCause.safeParse(error.cause).data?.body.issuer;
  return issuer !== undefined && canonicalIssuer(issuer) === canonicalIssuer(server.href)
    ? new URL(issuer)
    : undefined;
}

const metadataCause = z.object({ attribute: z.literal('issuer'), body: z.object({ issuer: z.url() }) });

const texts = z.union([z.array(z.string()), z.string().transform((one) => [one])]);
const claimsSchema = z.object({
  email: signupBody.shape.email.optional().catch(undefined),
  // Some providers write it as a text.
  email_verified: z
    .union([z.literal(true), z.literal('true').transform(() => true)])
    .optional()
    .catch(undefined),
  name: z.string().trim().min(1).max(NAME_MAX_LENGTH).optional().catch(undefined),
  /** Claims that the provider keeps at another endpoint (OpenID Connect Core, 5.6.2), such as groups of a person who is in very many. */
  _claim_names: z.record(z.string(), z.unknown()).catch({}),
});

/**
 * Puts the claims of the ID token and of UserInfo together. An e-mail address and whether it is verified come from one of the two,
 * never each from another; so do the groups, where one of them has them in a form that can be read.
 */
function identityOf(
  idToken: client.IDToken,
  userInfo: Record<string, unknown>,
  roleClaim: string,
): ProvidedIdentity {
  const sources = [idToken, userInfo].map((claims) => ({
    ...claimsSchema.parse(claims),
    groups: texts.safeParse(claims[roleClaim]).data,
  }));
  const withEmail = sources.filter(({ email }) => email !== undefined);
  const { email, email_verified } = withEmail.find((one) => one.email_verified) ?? withEmail[0] ?? {};
  const withGroups = sources.filter(({ _claim_names }) => !(roleClaim in _claim_names));
  return {
    issuer: canonicalIssuer(idToken.iss),
    subject: idToken.sub,
    email,
    emailVerified: email_verified === true,
    name: sources.find(({ name }) => name !== undefined)?.name,
    groups: withGroups.find(({ groups }) => groups !== undefined)?.groups,
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
