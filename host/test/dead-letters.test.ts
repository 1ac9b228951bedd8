import { randomUUID } from 'node:crypto';
import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { showDeadLetters } from '../src/events-command/dead-letters.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a dead letter is found behind a thousand older ones, and the list says that there are more', async () => {
  const id = randomUUID();
  await database.query(
    `INSERT INTO cases.dead_letters (consumer_group, event_id, topic, key, payload, headers, error, attempts, failed_at)
     SELECT 'cases', gen_random_uuid(), 'user-changed', 'k', '{}', '{}'::jsonb, 'Error: old', 5, now() - interval '1 day'
     FROM generate_series(1, 1000)
     UNION ALL SELECT 'cases', $1::uuid, 'user-deleted', 'k', '{}', '{}'::jsonb, 'Error: new', 5, now()`,
    [id],
  );
  const schemas = [{ service: 'cases' as const, sql: poolExecutor(database.openPool('cases', 1)) }];
  for (const which of [{ topic: 'user-deleted' }, { eventId: id }]) {
    const lines: string[] = [];
    expect(await showDeadLetters(schemas, which, (line) => lines.push(line))).toBe(true);
    expect(lines[0]).toContain(id);
    expect(lines.at(-1)).toBe('1 dead letter.');
    // The payload of one that is asked for by its id.
    expect(lines.slice(1, -1)).toEqual(['  Error: new', ...('eventId' in which ? ['  {}'] : [])]);
  }
  const all: string[] = [];
  await showDeadLetters(schemas, {}, (line) => all.push(line));
  expect(all.at(-1)).toBe('The oldest 1000 dead letters; there are more.');
  expect(all).toHaveLength(2 * 1_000 + 1);
  const old: string[] = [];
  await showDeadLetters(schemas, { topic: 'user-changed' }, (line) => old.push(line));
  expect(old.at(-1)).toBe('1000 dead letters.');
});
