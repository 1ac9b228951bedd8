import { readSettings } from '@casewatch/service-kit/settings/settings';
import { expect, test } from 'vitest';
import { settings } from '../config.ts';
import { mailSettings } from './mail-settings.ts';

const WHOLE = {
  SMTP_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'notices@example.com',
  MAIL_SECRET: 'a secret of the operator',
};
const read = (env: Record<string, string>) => mailSettings(readSettings(settings, env));

test('without a server no e-mail is sent, whatever else is set', () => {
  expect(read({ ...WHOLE, SMTP_URL: '' })).toBeUndefined();
});

test('with a server, a sender and a secret they are', () => {
  expect(read({ ...WHOLE, MAIL_CONNECTIONS: '7' })).toEqual({
    smtpUrl: WHOLE.SMTP_URL,
    from: WHOLE.MAIL_FROM,
    connections: 7,
  });
});

test.each([
  ['MAIL_FROM', 'MAIL_SECRET'],
  ['MAIL_SECRET', 'MAIL_FROM'],
])('without %s the start stops with a sentence', (missing, present) => {
  const reading = () => read({ ...WHOLE, [missing]: '' });
  expect(reading).toThrow(`${missing}: is needed with SMTP_URL`);
  expect(reading).not.toThrow(present);
});
