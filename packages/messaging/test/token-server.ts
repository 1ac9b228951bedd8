import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const client = { clientId: 'case:watch', clientSecret: 'let me in & out' };

/** An OAuth provider on loopback, which gives its one client signed tokens (RFC 6749, section 4.4). */
export async function startTokenServer() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  /** What it does next: everything in order at first. */
  const state = {
    down: false,
    expiresInSeconds: 300,
    livesSeconds: 300,
    audience: 'kafka',
    /** Each of the client is accepted. */
    secrets: [client.clientSecret],
  };
  const forms: string[] = [];
  const server = createServer((request, answer) => {
    const send = (status: number, body: object) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/keys') {
      send(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] });
      return;
    }
    void text(request).then((form) => {
      forms.push(form);
      if (state.down) return send(503, { error: 'temporarily_unavailable' });
      const accepted = state.secrets.map((clientSecret) => basic({ ...client, clientSecret }));
      if (!accepted.includes(request.headers.authorization ?? '')) {
        return send(401, { error: 'invalid_client', error_description: request.headers.authorization });
      }
      return send(200, {
        access_token: token(),
        token_type: 'Bearer',
        expires_in: state.expiresInSeconds,
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function token(): string {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const claims = {
      sub: 'casewatch',
      aud: state.audience,
      iat: nowSeconds - 600,
      exp: nowSeconds + state.livesSeconds,
      jti: String(forms.length),
    };
    const signed = [{ alg: 'RS256', kid: 'k' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  return {
    tokenUrl: `${origin}/token`,
    keysUrl: `${origin}/keys`,
    state,
    /** Bodies of the requests for a token. */
    forms,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const encoded = (word: string) => encodeURIComponent(word).replaceAll('%20', '+');
const basic = ({ clientId, clientSecret }: typeof client) =>
  `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`;
