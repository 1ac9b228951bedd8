import { execFileSync } from 'node:child_process';
import { readSettings } from '@casewatch/service-kit/settings/settings';
import { makePushKeys } from '@casewatch/testing/push-service';
import { expect, test } from 'vitest';
import { settings } from '../src/config.ts';
import { pushKeys } from '../src/web-push/push-settings.ts';

const KEYS = makePushKeys();
const PUSH_SUBJECT = 'mailto:ops@example.com';
const read = (env: Record<string, string>) => pushKeys(readSettings(settings, env));

test('npm run push-keys prints keys that the settings take', () => {
  const script = new URL('../../../scripts/push-keys.mjs', import.meta.url).pathname;
  const lines = execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim().split('\n');
  const env = Object.fromEntries(lines.map((line) => line.split('=', 2)));
  expect(read({ ...env, PUSH_SUBJECT })).toMatchObject({ publicKey: env.PUSH_VAPID_PUBLIC_KEY });
});

test('without keys push messages are off', () => {
  expect(read({})).toBeUndefined();
  expect(read({ PUSH_SUBJECT })).toBeUndefined();
});

test.each([
  ['PUSH_SUBJECT: is needed', KEYS],
  ['PUSH_VAPID_PRIVATE_KEY: is needed', { PUSH_VAPID_PUBLIC_KEY: KEYS.PUSH_VAPID_PUBLIC_KEY, PUSH_SUBJECT }],
  ['PUSH_VAPID_PUBLIC_KEY: is needed', { PUSH_VAPID_PRIVATE_KEY: KEYS.PUSH_VAPID_PRIVATE_KEY, PUSH_SUBJECT }],
  ['does not belong to', { ...KEYS, PUSH_VAPID_PRIVATE_KEY: 'A'.repeat(43), PUSH_SUBJECT }],
  [
    'does not belong to',
    { ...KEYS, PUSH_VAPID_PUBLIC_KEY: makePushKeys().PUSH_VAPID_PUBLIC_KEY, PUSH_SUBJECT },
  ],
  ['PUSH_SUBJECT: must be mailto:', { ...KEYS, PUSH_SUBJECT: 'ops@example.com' }],
  ['PUSH_HOSTS', { ...KEYS, PUSH_SUBJECT, PUSH_HOSTS: 'https://push.example.com' }],
])('the start stops with a sentence: %s', (sentence, env) => {
  expect(() => read(env)).toThrow(sentence);
});
