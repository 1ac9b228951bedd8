import { createECDH } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import {
  accountMails,
  howToTryOut,
  ownAddress,
  ownPushKeys,
  ownSecrets,
  supportForEvaluation,
  whatIsOff,
} from './evaluation.ts';
import type { Simulation } from './simulation.ts';

const folder = {
  path: '/data',
  secrets: { databasePassword: 'd', roleSecret: 'r', adminPasscode: 'opens-the-admin-area' },
  release: () => undefined,
};
const agencyUrl = 'http://127.0.0.1:1';
const paymentsUrl = 'http://127.0.0.1:2';
const simulation: Simulation = {
  agency: true,
  payments: true,
  mailbox: true,
  agencyControl: true,
  paymentsControl: true,
  demoAccounts: true,
  isOutside: false,
};
const outside = {
  ...simulation,
  agencyControl: false,
  paymentsControl: false,
  demoAccounts: false,
  isOutside: true,
};
const output = (started: {
  agencyUrl: string | undefined;
  paymentsUrl: string | undefined;
  simulation?: Simulation;
}) =>
  howToTryOut({
    url: 'http://localhost:8080',
    folder,
    simulation,
    mailboxUrl: undefined,
    ...started,
  }).join('\n');

afterEach(() => vi.unstubAllEnvs());

test('the passcode is printed where everything is simulated', () => {
  vi.stubEnv('ADMIN_PASSCODE', '');
  expect(output({ agencyUrl, paymentsUrl })).toContain('passcode: opens-the-admin-area');
});

test.each([
  ['agency', { agencyUrl: undefined, paymentsUrl }],
  ['payment provider', { agencyUrl, paymentsUrl: undefined }],
  ['agency and payment provider', { agencyUrl: undefined, paymentsUrl: undefined }],
])('with a real %s the passcode is not printed, but where it is', (_name, started) => {
  vi.stubEnv('ADMIN_PASSCODE', '');
  expect(output(started)).not.toContain('opens-the-admin-area');
  expect(output(started)).toContain('adminPasscode in /data/secrets.json, until you set ADMIN_PASSCODE');
});

test('a passcode of your own is never printed', () => {
  vi.stubEnv('ADMIN_PASSCODE', 'my own passcode');
  expect(output({ agencyUrl, paymentsUrl })).toContain('passcode: as set in ADMIN_PASSCODE');
  expect(output({ agencyUrl, paymentsUrl })).not.toMatch(/my own passcode|opens-the-admin-area/);
});

test('what is simulated is printed with its address, and what is not is left out', () => {
  vi.stubEnv('ADMIN_PASSCODE', '');
  const all = howToTryOut({
    url: 'http://localhost:8080',
    folder,
    simulation,
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
  expect(output({ agencyUrl: undefined, paymentsUrl: undefined }).split('\n')).toHaveLength(1);
});

test('the passcode and the secret of links are the folder’s own unless they are set', () => {
  vi.stubEnv('ADMIN_PASSCODE', '');
  vi.stubEnv('MAIL_SECRET', '');
  vi.stubEnv('INTERNAL_SECRET', '');
  const own = ownSecrets(folder);
  expect(own).toEqual({
    ADMIN_PASSCODE: 'opens-the-admin-area',
    MAIL_SECRET: expect.stringMatching(/^[\w-]{43}$/),
    INTERNAL_SECRET: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(ownSecrets(folder)).toEqual(own);
  expect(own.INTERNAL_SECRET).not.toBe(own.MAIL_SECRET);
  expect(own.MAIL_SECRET).not.toBe(ownPushKeys(folder, {}).PUSH_VAPID_PRIVATE_KEY);
  vi.stubEnv('ADMIN_PASSCODE', 'my passcode');
  vi.stubEnv('MAIL_SECRET', 'my secret');
  vi.stubEnv('INTERNAL_SECRET', 'between processes');
  expect(ownSecrets(folder)).toEqual({
    ADMIN_PASSCODE: 'my passcode',
    MAIL_SECRET: 'my secret',
    INTERNAL_SECRET: 'between processes',
  });
});

test('outside loopback the control APIs, the demo accounts, and the passcode are not printed', () => {
  vi.stubEnv('ADMIN_PASSCODE', '');
  const words = output({ agencyUrl, paymentsUrl, simulation: outside });
  expect(words).toContain('The agency is simulated.');
  expect(words).toContain('adminPasscode in /data/secrets.json');
  expect(words).not.toMatch(/__control|demo\.test|opens-the-admin-area/);
});

test.each([
  [{}, simulation, { SUPPORT_EMAIL: 'support@casewatch.example' }],
  [{}, { ...simulation, agency: false }, {}],
  [{}, outside, {}],
  [{ SUPPORT_EMAIL: 'help@example.org' }, simulation, {}],
  [{ SUPPORT_URL: 'https://example.org/help' }, simulation, {}],
])(
  'support is made up only where the agency is simulated on loopback and none is set: %j',
  (env, simulated, support) => {
    expect(supportForEvaluation(env, simulated)).toEqual(support);
  },
);

test('a start says in one line which feature is off, and what turns it on', () => {
  expect(whatIsOff({})).toEqual([
    '  Off: Pro is not offered. Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
    '  Off: no emails are sent. Set SMTP_URL and MAIL_FROM.',
    '  Off: no support is offered. Set SUPPORT_EMAIL or SUPPORT_URL.',
  ]);
  const all = {
    STRIPE_SECRET_KEY: 's',
    STRIPE_PUBLISHABLE_KEY: 'p',
    SMTP_URL: 'smtp://mail',
    SUPPORT_URL: 'https://example.org/help',
  };
  expect(whatIsOff(all)).toEqual([]);
  expect(whatIsOff({ ...all, STRIPE_PUBLISHABLE_KEY: '' })).toEqual([
    expect.stringContaining('Pro is not offered'),
  ]);
});

test('e-mails about accounts are sent where there is a mail server', () => {
  expect(accountMails({ SMTP_URL: 'smtp://mail' })).toEqual({ ACCOUNT_MAILS: 'true' });
  expect(accountMails({ SMTP_URL: '' })).toEqual({});
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
  expect(ownPushKeys(folder, { PUBLIC_URL: 'https://cases.example' }).PUSH_SUBJECT).toBe(
    'https://cases.example',
  );
  expect(ownPushKeys(folder, { SUPPORT_EMAIL: 'help@example.org' }).PUSH_SUBJECT).toBe(
    'mailto:help@example.org',
  );
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
