import { expect, test } from 'vitest';
import { databaseUrlFor, directUrlFor } from './database-urls.ts';

const OWN = 'postgres://casewatch_admin_log:secret@db/casewatch';
const SHARED = 'postgres://casewatch_cases:secret@db/casewatch';

test("a service signs in with its own URL, else with the process's", () => {
  expect(databaseUrlFor('admin-log', { ADMIN_LOG_DATABASE_URL: OWN, DATABASE_URL: SHARED })).toBe(OWN);
  expect(databaseUrlFor('cases', { ADMIN_LOG_DATABASE_URL: OWN, DATABASE_URL: SHARED })).toBe(SHARED);
});

test('a service without a URL, or with that of another role, does not start', () => {
  expect(() => databaseUrlFor('cases', {})).toThrow(/CASES_DATABASE_URL: is needed/);
  expect(() => databaseUrlFor('cases', { CASES_DATABASE_URL: OWN })).toThrow(/casewatch_cases/);
});

test('a service signs in by its role or by the alternate, whose passwords are replaced in turns', () => {
  const alternate = OWN.replace('admin_log', 'admin_log_alternate');
  expect(databaseUrlFor('admin-log', { ADMIN_LOG_DATABASE_URL: alternate })).toBe(alternate);
  expect(() => databaseUrlFor('cases', { CASES_DATABASE_URL: alternate })).toThrow(
    /casewatch_cases or casewatch_cases_alternate/,
  );
});

test('a session is opened at the direct URL of the same service, else where all else goes', () => {
  const direct = 'postgres://casewatch_cases:d@db.example/casewatch';
  const pooled = { DATABASE_URL: SHARED };
  expect(directUrlFor('cases', pooled)).toBe(SHARED);
  expect(directUrlFor('cases', { ...pooled, DATABASE_DIRECT_URL: direct })).toBe(direct);
  expect(databaseUrlFor('cases', { ...pooled, DATABASE_DIRECT_URL: direct })).toBe(SHARED);
  const apart = { ADMIN_LOG_DATABASE_URL: OWN, DATABASE_DIRECT_URL: direct };
  expect(directUrlFor('admin-log', apart)).toBe(OWN);
  const ownDirect = OWN.replace('db', 'direct.db');
  expect(directUrlFor('admin-log', { ...apart, ADMIN_LOG_DATABASE_DIRECT_URL: ownDirect })).toBe(ownDirect);
  expect(() => directUrlFor('admin-log', { ...apart, ADMIN_LOG_DATABASE_DIRECT_URL: direct })).toThrow(
    /ADMIN_LOG_DATABASE_DIRECT_URL: .*casewatch_admin_log/,
  );
});
