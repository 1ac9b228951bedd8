import { readSettings } from '@casewatch/service-kit/settings/settings';
import { expect, test } from 'vitest';
import { settings } from '../config.ts';
import { openMailing } from './open-mailing.ts';

const USER = { userId: '6f2d9a52-5c0e-4f0a-9a75-0d7c1f0c3a11', email: 'ada@example.org' };
/** Without e-mails none of its parts is used. */
const open = (env: Record<string, string>) =>
  openMailing(readSettings(settings, env), {} as Parameters<typeof openMailing>[1]);

test('where e-mails were turned off, the links of those that were sent still stop them', async () => {
  const { tokens, jobs } = await open({ MAIL_SECRET: 'the newer secret, the older secret' });
  const older = await open({ MAIL_SECRET: 'the older secret' });
  const token = older.tokens?.issue(USER, 'status') ?? '';
  expect(tokens?.read(token)).toMatchObject({ userId: USER.userId, kind: 'status' });
  expect(older.tokens?.read(tokens?.issue(USER, 'status') ?? '')).toBeUndefined();
  expect(jobs).toEqual([]);
});

test('without a secret there are no links', async () => {
  expect(await open({})).toEqual({ tokens: undefined, jobs: [] });
});
