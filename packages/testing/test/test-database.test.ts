import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../src/test-database.ts';

const databases: Awaited<ReturnType<typeof createTestDatabase>>[] = [];
afterAll(() => Promise.all(databases.map((database) => database.drop())));

test('two test databases share nothing', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  databases.push(one, two);
  await one.query('CREATE TABLE only_here (id int)');
  await expect(two.query('SELECT * FROM only_here')).rejects.toThrow('does not exist');
});
