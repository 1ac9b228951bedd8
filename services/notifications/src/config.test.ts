import { readSettings } from '@casewatch/service-kit/settings/settings';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

const read = (name: string, value: string) => readSettings(settings, { [name]: value });

test.each([
  ['SMTP_URL', 'smtp://mail.example.com:587'],
  ['SMTP_URL', 'smtps://user:password@mail.example.com?requireTLS=true'],
  ['MAIL_FROM', 'notices@example.com'],
  ['MAIL_FROM', 'Casewatch Notices <notices@example.com>'],
  ['PUSH_VAPID_PUBLIC_KEY', 'x'.repeat(87)],
  ['PUSH_VAPID_PRIVATE_KEY', '_-'.repeat(21).concat('x')],
  ['PUSH_SUBJECT', 'mailto:ops@example.com'],
  ['PUSH_SUBJECT', 'https://example.com/contact'],
  ['SUPPORT_EMAIL', 'help@example.com'],
  ['SUPPORT_URL', 'http://help.example.com'],
  ['PUBLIC_URL', 'https://casewatch.example.com'],
])('%s may be %s', (name, value) => {
  expect(read(name, value)).toMatchObject({ [name]: value });
});

test.each([
  ['SMTP_URL', 'http://mail.example.com', 'must be an smtp:// or smtps:// URL with a host'],
  ['SMTP_URL', 'smtp://', 'must be an smtp:// or smtps:// URL with a host'],
  ['MAIL_FROM', 'Casewatch', 'must be an address'],
  ['MAIL_FROM', 'Casewatch notices@example.com', 'must be an address'],
  ['MAIL_FROM', 'a@example.com, b@example.com', 'must be an address'],
  ['MAIL_FROM', 'Casewatch <a@example.com>\r\nBcc: b@example.com', 'must be an address'],
  ['MAIL_SECRET', 'fifteen letters', 'must have at least 16 characters'],
  ['MAIL_SECRET', 'sixteen letters.,too short', 'must have at least 16 characters'],
  ['PUSH_VAPID_PUBLIC_KEY', 'x'.repeat(86), 'must be a key as npm run push-keys prints it'],
  ['PUSH_VAPID_PUBLIC_KEY', 'x'.repeat(88), 'must be a key as npm run push-keys prints it'],
  ['PUSH_VAPID_PRIVATE_KEY', 'x'.repeat(42), 'must be a key as npm run push-keys prints it'],
  ['PUSH_VAPID_PRIVATE_KEY', 'x'.repeat(44), 'must be a key as npm run push-keys prints it'],
  ['PUSH_SUBJECT', 'http://example.com', 'must be mailto: and an address, or an https URL'],
  ['PUSH_SUBJECT', 'mailto:ops', 'must be mailto: and an address, or an https URL'],
  ['PUSH_HOSTS', 'push.example.com,https://x', 'must be hosts'],
  ['SUPPORT_EMAIL', 'help', 'must be an e-mail address'],
  ['SUPPORT_URL', 'ftp://help.example.com', 'must be an http or https URL'],
  ['PUBLIC_URL', 'casewatch.example.com', 'must be an http or https URL'],
  // A lease ends when another process sends: not while the first one still may.
  ['MAIL_LEASE_SECONDS', '69', 'must be at least 70: sending one e-mail may take 45 seconds'],
  ['PUSH_LEASE_SECONDS', '34', 'must be at least 35: sending one push message may take 10 seconds'],
])('%s may not be %s', (name, value, sentence) => {
  expect(() => read(name, value)).toThrow(sentence);
});

test('several secrets and hosts are separated by commas, with or without spaces', () => {
  expect(read('MAIL_SECRET', 'sixteen letters., sixteen letters!').MAIL_SECRET).toEqual([
    'sixteen letters.',
    'sixteen letters!',
  ]);
  expect(read('PUSH_HOSTS', 'Push.example.com, *.example.com:8443').PUSH_HOSTS).toEqual([
    'push.example.com',
    '*.example.com:8443',
  ]);
});
