import { readSettings } from '@casewatch/service-kit/settings/settings';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

const read = (env: Record<string, string>) => () => readSettings(settings, env);

test.each(['https://id.example.org', 'http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000'])(
  'the provider may be at %s',
  (ADMIN_OIDC_ISSUER) => {
    expect(read({ ADMIN_OIDC_ISSUER })()).toMatchObject({ ADMIN_OIDC_ISSUER });
  },
);

test.each([
  'http://id.example.org',
  'http://localhost.example.org',
  'http://my-localhost',
  'ftp://localhost',
])('the provider may not be at %s', (ADMIN_OIDC_ISSUER) => {
  expect(read({ ADMIN_OIDC_ISSUER })).toThrow('ADMIN_OIDC_ISSUER: must be an https URL');
});

test.each(['openid', 'profile openid', 'openid email', 'email openid groups'])(
  'the scope %j asks who signs in',
  (ADMIN_OIDC_SCOPE) => {
    expect(read({ ADMIN_OIDC_SCOPE })()).toMatchObject({ ADMIN_OIDC_SCOPE });
  },
);

test.each(['profile', 'openid2 email', 'email my-openid'])('the scope %j does not', (ADMIN_OIDC_SCOPE) => {
  expect(read({ ADMIN_OIDC_SCOPE })).toThrow('ADMIN_OIDC_SCOPE: must contain openid');
});

test('a passcode has 12 to 256 characters', () => {
  for (const length of [12, 256]) expect(read({ ADMIN_PASSCODE: 'x'.repeat(length) })).not.toThrow();
  expect(read({ ADMIN_PASSCODE: 'x'.repeat(11) })).toThrow('must have at least 12 characters');
  expect(read({ ADMIN_PASSCODE: 'x'.repeat(257) })).toThrow('must have at most 256 characters');
});

test('each group gives one of the roles, and the name of a group is not empty', () => {
  const roles = { owners: 'owner', support: 'auditor', research: 'survey-editor' };
  expect(read({ ADMIN_OIDC_ROLES: JSON.stringify(roles) })()).toMatchObject({ ADMIN_OIDC_ROLES: roles });
  expect(read({ ADMIN_OIDC_ROLES: '{"":"owner"}' })).toThrow('ADMIN_OIDC_ROLES: must be JSON');
});
