import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, startCases } from './cases-fixture.ts';

const cases = await forThisFile(startCases());

test.each([
  [
    'a lookup',
    `SELECT * FROM cases.case_snapshots WHERE receipt_number = 'EAC9999103403'`,
    'case_snapshots_pkey',
  ],
  [
    'a history',
    `SELECT * FROM cases.observations WHERE receipt_number = 'EAC9999103403'`,
    'observations_pkey',
  ],
  [
    'the list',
    `SELECT * FROM cases.saved_cases WHERE user_id = '11111111-1111-4111-8111-111111111111'
     ORDER BY created_at DESC, id DESC`,
    'saved_cases_user_created',
  ],
  [
    'everyone who saved',
    `SELECT * FROM cases.saved_cases WHERE receipt_number = 'EAC0000000007'`,
    'saved_cases_receipt',
  ],
])('%s uses its index', async (_name, sql, index) => {
  await cases.database.query(`
    INSERT INTO cases.saved_cases (id, user_id, receipt_number, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), 'EAC' || lpad(n::text, 10, '0'), now() FROM generate_series(1, 5000) n`);
  await cases.database.query(`
    INSERT INTO cases.case_snapshots (receipt_number, not_recognized_at)
    SELECT 'EAC' || lpad(n::text, 10, '0'), now() FROM generate_series(1, 5000) n ON CONFLICT DO NOTHING`);
  await cases.database.query(`
    INSERT INTO cases.observations
      (receipt_number, entry, status, status_at, source, first_observed_at, last_observed_at)
    SELECT 'EAC' || lpad(n::text, 10, '0'), 1, 'Case Was Received', now(), 'observed', now(), now() FROM generate_series(1, 5000) n ON CONFLICT DO NOTHING`);
  await cases.database.query('ANALYZE cases.saved_cases, cases.case_snapshots, cases.observations');
  const plan = await cases.database.query(`EXPLAIN ${sql}`);
  const text = JSON.stringify(plan);
  expect(text).toContain(index);
  expect(text).not.toContain('Sort');
  expect(text).not.toContain('Seq Scan');
});

test('the service does not start without credentials of the agency', async () => {
  await expect(startCases({ env: { AGENCY_CLIENT_ID: '', AGENCY_CLIENT_SECRET: '' } })).rejects.toThrow(
    /AGENCY_CLIENT_ID: must be set\n {2}AGENCY_CLIENT_SECRET: must be set/,
  );
});

test('an unknown address and a wrong method are answered in JSON', async () => {
  expect(await errorOf(await cases.call('GET', '/api/saved-cases/x/y'))).toMatchObject({ code: 'NOT_FOUND' });
});
