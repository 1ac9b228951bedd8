import { comparePrismaWithDatabase } from '@casewatch/testing/prisma-agreement';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';

const SCHEMA = new URL('../prisma/schema.prisma', import.meta.url);
const AN_ID = "md5('7')::uuid";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(
    `INSERT INTO surveys.surveys SELECT md5(n::text)::uuid, 'x', NULL, n % 50 = 0, NULL, NULL, 'daily', 1, 1, now(), now()
     FROM generate_series(1, 2000) AS n`,
  );
  await database.query(
    `INSERT INTO surveys.questions SELECT md5(n::text)::uuid, md5((n % 2000 + 1)::text)::uuid, 'x', 'text', '{}', 0, true, now()
     FROM generate_series(1, 4000) AS n`,
  );
  await database.query(
    `INSERT INTO surveys.trackings
     SELECT md5(n::text)::uuid, md5((n % 200 + 1)::text)::uuid, now(), 1, n % 3 > 0, now() FROM generate_series(1, 20000) AS n`,
  );
  await database.query(
    `INSERT INTO surveys.responses
     SELECT gen_random_uuid(), md5((n % 2000 + 1)::text)::uuid, md5((n % 4000 + 1)::text)::uuid, md5(n::text)::uuid, 'x', '{}', now()
     FROM generate_series(1, 20000) AS n`,
  );
  await database.query(
    'VACUUM ANALYZE surveys.surveys, surveys.questions, surveys.trackings, surveys.responses',
  );
});
afterAll(() => database.drop());

test('schema.prisma and the migrated database agree', async () => {
  expect(await comparePrismaWithDatabase(SCHEMA, database, 'surveys')).toEqual([]);
});

test.each([
  ['active surveys', 'SELECT * FROM surveys.surveys WHERE is_active', 'surveys_active'],
  [
    'the questions of a survey',
    `SELECT * FROM surveys.questions WHERE survey_id = ${AN_ID}`,
    'questions_of_survey',
  ],
  [
    'the count of people',
    `SELECT response_submitted, count(*) FROM surveys.trackings WHERE survey_id = ${AN_ID} GROUP BY 1`,
    'trackings_of_survey',
  ],
  [
    'the count of answers',
    `SELECT question_id, count(*) FROM surveys.responses WHERE question_id = ANY(ARRAY[${AN_ID}]) GROUP BY 1`,
    'responses_of_question',
  ],
  [
    'the newest texts',
    `SELECT * FROM surveys.responses WHERE question_id = ${AN_ID} ORDER BY created_at DESC, id DESC LIMIT 50`,
    'responses_of_question',
  ],
  [
    'a page of the export',
    `SELECT user_id FROM surveys.trackings WHERE survey_id = ${AN_ID} AND response_submitted
     AND (last_shown_at, user_id) > (now(), ${AN_ID}) ORDER BY last_shown_at, user_id LIMIT 500`,
    'trackings_of_survey',
  ],
  ['the erasure of answers', `DELETE FROM surveys.responses WHERE user_id = ${AN_ID}`, 'responses_of_user'],
  ['the erasure of trackings', `DELETE FROM surveys.trackings WHERE user_id = ${AN_ID}`, 'trackings_pkey'],
])('%s: served by an index', async (_what, sql, plan) => {
  const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
  const text = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain(plan);
  expect(text).not.toContain('Seq Scan');
});
