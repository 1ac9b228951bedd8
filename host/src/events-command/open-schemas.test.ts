import { expect, test } from 'vitest';
import { databaseUrlOf } from './open-schemas.ts';

const OWNER = 'postgres://casewatch_owner:secret@db/casewatch';
const OWN = 'postgres://casewatch_identity:secret@db/casewatch';
const NOWHERE = { DATA_DIR: '/nonexistent' };

test('a command of an operator finds the database of a process that runs all services', () => {
  expect(databaseUrlOf({ ...NOWHERE, IDENTITY_DATABASE_URL: OWN }, 'identity')).toBe(OWN);
  expect(() => databaseUrlOf({ ...NOWHERE, IDENTITY_DATABASE_URL: OWN }, 'cases')).toThrow(/DATABASE_URL/);
});

test('a database that is named for all services is the one', () => {
  expect(databaseUrlOf({ ...NOWHERE, DATABASE_URL: OWNER, IDENTITY_DATABASE_URL: OWN }, 'identity')).toBe(
    OWNER,
  );
});
