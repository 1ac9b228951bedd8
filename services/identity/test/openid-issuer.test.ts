import { listen } from '@casewatch/service-kit/http/http-server';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createOpenIdProvider } from '../src/oidc/openid-provider.ts';
import { REDIRECT_URI } from './openid-fixture.ts';

/** A provider that serves nothing but its metadata, under a path; `issuer`: what they call it. */
async function startMetadata(issuer: (origin: string) => string) {
  const server = await listen(
    (_req, res) => {
      const metadata = { issuer: issuer(server.url), authorization_endpoint: `${server.url}/authorize` };
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify(metadata));
    },
    { host: '127.0.0.1', port: 0 },
  );
  onTestFinished(() => server.drain());
  return server.url;
}
const providerAt = (issuer: string) =>
  createOpenIdProvider({
    issuer,
    clientId: 'casewatch',
    clientSecret: 'a secret',
    label: 'Example ID',
    scope: 'openid',
    roleClaim: 'groups',
    roles: new Map(),
    redirectUri: REDIRECT_URI,
    logger: pino({ level: 'silent' }),
  });
const CHECKS = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) };

test.each([
  ['with a slash that its metadata do not have', '', '/'],
  ['without the slash of its metadata', '/', ''],
  ['as its metadata write it', '/', '/'],
])('a provider that is configured %s is found', async (_what, itsEnd, ourEnd) => {
  const origin = await startMetadata((url) => `${url}/realms/team${itsEnd}`);
  const provider = providerAt(`${origin}/realms/team${ourEnd}`);
  expect(provider.issuer).toBe(`${origin}/realms/team`);
  expect(await provider.authorizationUrl(CHECKS)).toContain(`${origin}/authorize?`);
});

test('a provider whose metadata name another issuer is refused', async () => {
  const origin = await startMetadata((url) => `${url}/realms/other`);
  const begun = providerAt(`${origin}/realms/team`).authorizationUrl(CHECKS);
  await expect(begun).rejects.toMatchObject({ name: 'ProviderFailure' });
});
