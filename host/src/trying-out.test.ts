import { createECDH } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { howToTryOut, ownAddress, ownPushKeys } from './trying-out.ts';

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

test('a folder makes the same keys of push messages each time, which belong together', () => {
  const keys = ownPushKeys(folder, {});
  expect(ownPushKeys(folder, {})).toEqual(keys);
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(keys.PUSH_VAPID_PRIVATE_KEY ?? '', 'base64url');
  expect(curve.getPublicKey('base64url')).toBe(keys.PUSH_VAPID_PUBLIC_KEY);
});

test('keys of push messages that are set are kept', () => {
  expect(ownPushKeys(folder, { PUSH_VAPID_PUBLIC_KEY: 'set' })).toEqual({});
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
