import { createECDH } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { howToTryOut, ownAddress, ownPushKeys, ownSecrets, supportForTryingOut } from './trying-out.ts';

const folder = {
  path: '/data',
  secrets: { databasePassword: 'd', roleSecret: 'r', adminPasscode: 'opens-the-admin-area' },
  release: () => undefined,
};
const agencyUrl = 'http://127.0.0.1:1';
const paymentsUrl = 'http://127.0.0.1:2';
const said = (started: { agencyUrl: string | undefined; paymentsUrl: string | undefined }) =>
  howToTryOut({ url: 'http://localhost:8080', folder, ...started }).join('\n');

afterEach(() => vi.unstubAllEnvs());

test('the passcode is printed where everything is simulated', () => {
  vi.stubEnv('ADMIN_PASSCODE', '');
  expect(said({ agencyUrl, paymentsUrl })).toContain('passcode: opens-the-admin-area');
});

test.each([
  ['agency', { agencyUrl: undefined, paymentsUrl }],
  ['payment provider', { agencyUrl, paymentsUrl: undefined }],
  ['agency and payment provider', { agencyUrl: undefined, paymentsUrl: undefined }],
])('with a real %s the passcode is not printed, but where it is', (_name, started) => {
  vi.stubEnv('ADMIN_PASSCODE', '');
  expect(said(started)).not.toContain('opens-the-admin-area');
  expect(said(started)).toContain('adminPasscode in /data/secrets.json, until you set ADMIN_PASSCODE');
});

test('a passcode of your own is never printed', () => {
  vi.stubEnv('ADMIN_PASSCODE', 'my own passcode');
  expect(said({ agencyUrl, paymentsUrl })).toContain('passcode: as set in ADMIN_PASSCODE');
  expect(said({ agencyUrl, paymentsUrl })).not.toMatch(/my own passcode|opens-the-admin-area/);
});

test('what is simulated is said with its address, and what is not is left out', () => {
  vi.stubEnv('ADMIN_PASSCODE', '');
  const all = howToTryOut({
    url: 'http://localhost:8080',
    folder,
    agencyUrl,
    paymentsUrl,
    mailboxUrl: 'http://127.0.0.1:3',
  });
  expect(all).toEqual([
    '  The agency is simulated (control API: http://127.0.0.1:1/__control).',
    '  Sign in as free@demo.test or pro@demo.test, password demo-demo-demo; try EAC9999103403.',
    '  Payments are simulated (control API: http://127.0.0.1:2/__control): pay with card 4242 4242 4242 4242.',
    '  Emails are shown at http://127.0.0.1:3, and delivered nowhere.',
    '  Admin area: http://localhost:8080/admin, passcode: opens-the-admin-area',
  ]);
  expect(said({ agencyUrl: undefined, paymentsUrl: undefined }).split('\n')).toHaveLength(1);
});

test('the passcode and the secret of links are the folder’s own unless they are set', () => {
  vi.stubEnv('ADMIN_PASSCODE', '');
  vi.stubEnv('MAIL_SECRET', '');
  const own = ownSecrets(folder);
  expect(own).toEqual({
    ADMIN_PASSCODE: 'opens-the-admin-area',
    MAIL_SECRET: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(ownSecrets(folder)).toEqual(own);
  expect(own.MAIL_SECRET).not.toBe(ownPushKeys(folder, {}).PUSH_VAPID_PRIVATE_KEY);
  vi.stubEnv('ADMIN_PASSCODE', 'my passcode');
  vi.stubEnv('MAIL_SECRET', 'my secret');
  expect(ownSecrets(folder)).toEqual({ ADMIN_PASSCODE: 'my passcode', MAIL_SECRET: 'my secret' });
});

test.each([
  [{}, { SUPPORT_EMAIL: 'support@casewatch.example' }],
  [{ AGENCY_CLIENT_ID: 'real' }, {}],
  [{ SUPPORT_EMAIL: 'help@example.org' }, {}],
  [{ SUPPORT_URL: 'https://example.org/help' }, {}],
])('support is made up only where the agency is simulated and no support is set: %j', (env, support) => {
  expect(supportForTryingOut(env)).toEqual(support);
});

test('a folder makes the same keys of push messages each time, which belong together', () => {
  const keys = ownPushKeys(folder, {});
  expect(ownPushKeys(folder, {})).toEqual(keys);
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(keys.PUSH_VAPID_PRIVATE_KEY ?? '', 'base64url');
  expect(curve.getPublicKey('base64url')).toBe(keys.PUSH_VAPID_PUBLIC_KEY);
  expect(keys.PUSH_SUBJECT).toBe('mailto:operator@casewatch.example');
  expect(ownPushKeys(folder, { PUSH_SUBJECT: 'mailto:me@example.org' })).toEqual({
    ...keys,
    PUSH_SUBJECT: 'mailto:me@example.org',
  });
  const other = { ...folder, secrets: { ...folder.secrets, roleSecret: 'of another folder' } };
  expect(ownPushKeys(other, {}).PUSH_VAPID_PRIVATE_KEY).not.toBe(keys.PUSH_VAPID_PRIVATE_KEY);
});

test('keys of push messages that are set are kept', () => {
  expect(ownPushKeys(folder, { PUSH_VAPID_PUBLIC_KEY: 'set' })).toEqual({});
  expect(ownPushKeys(folder, { PUSH_VAPID_PRIVATE_KEY: 'set' })).toEqual({});
});

test.each([
  [{ PORT: '8081' }, { PUBLIC_URL: 'http://localhost:8081' }],
  [{ PORT: '8081', PUBLIC_URL: '' }, { PUBLIC_URL: 'http://localhost:8081' }],
  [{ PORT: '8081', PUBLIC_URL: 'https://cases.example' }, {}],
  [{ PORT: '0' }, {}],
  [{ PORT: '' }, {}],
  [{}, {}],
])('what leads to the product leads to its own port, unless another address is set: %j', (env, address) => {
  expect(ownAddress(env)).toEqual(address);
});
