import { expect, test } from 'vitest';
import { alternateOf, derivePassword, loginsOf, roleOf, schemaOf, serviceUrl } from './service-url.ts';

test('a service has a schema, a role and a second login of its name', () => {
  expect(schemaOf('admin-log')).toBe('admin_log');
  expect(roleOf('admin-log')).toBe('casewatch_admin_log');
  expect(alternateOf('admin-log')).toBe('casewatch_admin_log_alternate');
  expect(loginsOf('admin-log')).toEqual(['casewatch_admin_log', 'casewatch_admin_log_alternate']);
});

test('the owner’s URL becomes that of the service: its role and its password, the rest as it is', () => {
  const password = derivePassword('cases', 'the secret');
  expect(password).toMatch(/^[\w-]{43}$/);
  expect(serviceUrl('postgres://owner:x@db:5433/casewatch?sslmode=require', 'cases', 'the secret')).toBe(
    `postgres://casewatch_cases:${password}@db:5433/casewatch?sslmode=require`,
  );
});

test('a password is the same each time, and another for each service and secret', () => {
  const passwords = [
    derivePassword('cases', 'the secret'),
    derivePassword('billing', 'the secret'),
    derivePassword('cases', 'another secret'),
  ];
  expect(new Set(passwords).size).toBe(3);
  expect(derivePassword('cases', 'the secret')).toBe(passwords[0]);
});
