import { createSign, generateKeyPairSync } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { listen } from '@casewatch/service-kit/http/http-server';
import Provider from 'oidc-provider';

export const CLIENT = { id: 'casewatch', secret: 'a secret of the client at the provider' };
export const REDIRECT_URI = 'http://localhost:8080/admin/single-sign-on';

/** A person as the provider knows them. */
export interface Person {
  sub: string;
  email?: string;
  /** Some providers write it as a text. */
  email_verified?: boolean | 'true';
  name?: string;
  groups?: string[] | string;
}

export type Claims = Record<string, unknown>;

/** An OpenID provider on loopback, in whose browser one person is signed in already and agrees to everything. */
export async function startOpenId(person: Person) {
  let handle: RequestListener = (_req, res) => res.writeHead(503).end();
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const server = await listen((req, res) => handle(req, res), { host: '127.0.0.1', port: 0 });
  const openId = {
    issuer: server.url,
    person,
    /** Each is accepted. */
    secrets: [CLIENT.secret],
    breaks: false,
    /** Change what the provider says, as other providers would. */
    idToken: (claims: Claims): Claims => claims,
    userInfo: (claims: Claims): Claims => claims,
    stop: () => server.drain(),
    visit,
  };
  const provider = new Provider(server.url, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [REDIRECT_URI],
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] },
    cookies: { keys: ['of this test'] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 600, IdToken: 600 },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => openId.person }),
  });
  provider.Client.prototype.compareClientSecret = (given) => openId.secrets.includes(given);
  const callback = provider.callback();
  handle = async (req, res) => {
    if (openId.breaks) return res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    if (req.url === '/token') {
      rewrite(res, (answer) =>
        typeof answer.id_token === 'string'
          ? { ...answer, id_token: resign(answer.id_token, (claims) => openId.idToken(claims)) }
          : answer,
      );
    }
    if (req.url === '/me') rewrite(res, (answer) => openId.userInfo(answer));
    if (req.url !== '/interaction') return callback(req, res);
    const { sub: accountId } = openId.person;
    const grant = new provider.Grant({ accountId, clientId: CLIENT.id });
    grant.addOIDCScope('openid email profile');
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(req, res, { login: { accountId }, consent });
  };
  return openId;

  /** The same token with other claims, signed by the same key. */
  function resign(token: string, change: (claims: Claims) => Claims): string {
    const [head = '', body = ''] = token.split('.');
    const claims = change(JSON.parse(Buffer.from(body, 'base64url').toString()));
    const signed = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
  }
}
export type OpenId = Awaited<ReturnType<typeof startOpenId>>;

/** Goes through the provider's pages as a browser does; resolves to the query that it is sent back with. */
async function visit(url: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let at = url; ; ) {
    if (at.startsWith(REDIRECT_URI)) return new URL(at).search;
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const next = answer.headers.get('location');
    if (next === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    at = new URL(next, at).href;
  }
}

/** Changes the JSON of an answer. */
function rewrite(res: ServerResponse, change: (answer: Claims) => Claims): void {
  res.end = new Proxy(res.end, {
    apply(end, self, [body, ...rest]) {
      const changed = JSON.stringify(change(JSON.parse(String(body))));
      res.setHeader('content-length', Buffer.byteLength(changed));
      return Reflect.apply(end, self, [changed, ...rest]);
    },
  });
}
