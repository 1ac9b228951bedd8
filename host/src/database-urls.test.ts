import { expect, test } from 'vitest';
import { databaseUrlFor } from './database-urls.ts';

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
