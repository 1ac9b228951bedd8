import {
  createTokenSource,
  type FreshToken,
  readTokenAnswer,
} from '@casewatch/service-kit/http/access-token';
import type { Clock } from '@casewatch/service-kit/runtime/clock';
import type { AuthenticationProviderArgs, Mechanism } from 'kafkajs';

/** A client of the team's OAuth provider, which gives it access tokens for the brokers. */
export interface OAuthClient {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string | undefined;
}

/** A refusal that `refusalOf` recognizes by its type; its message holds no secret. */
class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';
  readonly type: 'OAUTH_CLIENT_REFUSED' | 'OAUTH_TOKEN_REFUSED';
  constructor(type: OAuthRefusal['type'], message: string) {
    super(message);
    this.type = type;
  }
}

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_LENGTH = 64 * 1024;
/** Statuses below 500 that are about the moment, not about the client. */
const TRANSIENT = [408, 425, 429];
/** Ends an exchange whose token was refused (RFC 7628, section 3.2.3). */
const END = Buffer.from('\u0001');

/**
 * Creates SASL OAUTHBEARER (RFC 7628) with tokens of the client-credentials grant. Connections share a token, which is replaced
 * before it expires; a connection whose session ends signs in again by itself, since kafkajs respects the lifetime that the
 * broker names. The provider of kafkajs 2.2.4 ignores that a broker refuses a token, and continues as if it were signed in.
 */
export function oauthBearer(client: OAuthClient, clock: Clock): Mechanism {
  const tokens = createTokenSource(clock, () => requestToken(client));

  async function authenticate(ask: AuthenticationProviderArgs['saslAuthenticate']): Promise<void> {
    const token = await tokens.get();
    const first = Buffer.from(`n,,\u0001auth=Bearer ${token}\u0001\u0001`);
    const refusal = await ask({
      request: { encode: () => withSize(first) },
      response: { decode: (answer) => answer.subarray(4), parse: (answer) => answer.toString() },
    });
    if (!refusal) return;
    tokens.refused(token);
    // Answered with an error, after which the broker closes the connection.
    await ask({ request: { encode: () => withSize(END) } }).catch(() => undefined);
    throw new OAuthRefusal('OAUTH_TOKEN_REFUSED', `Kafka refuses the access token: ${refusal}`);
  }

  return {
    mechanism: 'oauthbearer',
    authenticationProvider: ({ saslAuthenticate }) => ({
      authenticate: () => authenticate(saslAuthenticate),
    }),
  };
}

/** @throws OAuthRefusal for a client that the provider does not accept; another error when it can't be asked now. */
async function requestToken({ tokenUrl, clientId, clientSecret, scope }: OAuthClient): Promise<FreshToken> {
  const credentials = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
  const reply = await fetch(tokenUrl, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope ? { scope } : {}) }),
  }).catch((error: unknown) => {
    throw new Error(`the token endpoint ${tokenUrl} does not answer: ${reasonOf(error)}`);
  });
  const json = await readJson(reply);
  if (reply.status >= 400 && reply.status < 500 && !TRANSIENT.includes(reply.status)) {
    throw new OAuthRefusal(
      'OAUTH_CLIENT_REFUSED',
      `the token endpoint ${tokenUrl} answers ${reply.status}${errorCodeOf(json)}`,
    );
  }
  const token = reply.ok ? readTokenAnswer(json) : undefined;
  if (!token) throw new Error(`the token endpoint ${tokenUrl} answers ${reply.status} without a token`);
  return token;
}

async function readJson(reply: Response): Promise<unknown> {
  const text = await reply.text().catch(() => '');
  if (text.length > MAX_ANSWER_LENGTH) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Only the code (RFC 6749, section 5.2): a description may repeat what was sent. */
function errorCodeOf(json: unknown): string {
  const code = typeof json === 'object' && json !== null && 'error' in json ? json.error : undefined;
  return typeof code === 'string' && /^[\w-]{1,50}$/.test(code) ? ` (${code})` : '';
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** As RFC 6749 wants the name and password of a client (section 2.3.1). */
const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

/** As Kafka's protocol writes bytes. */
function withSize(bytes: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(bytes.length);
  return Buffer.concat([size, bytes]);
}
