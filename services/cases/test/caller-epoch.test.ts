import { caseObserved } from '@casewatch/contracts/events';
import { mutateImports } from '@casewatch/testing/mutate-imports';
import { createTestDatabase } from '@casewatch/testing/test-database';
import { expect, onTestFinished, test } from 'vitest';
import { startCases } from './cases-fixture.ts';

const NUMBER = 'SRC2190000302';

/** A call before a restore of an older database, and one after; resolves to their numbers. */
async function callsAroundRestore(start: typeof startCases, restore: string): Promise<[bigint, bigint]> {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const before = await start({ database });
  await before.check([NUMBER]);
  await before.stop();
  await database.query(restore);
  const after = await start({ database });
  await after.check([NUMBER]);
  const [first, second] = (await after.eventsOf(caseObserved)).map(({ callNumber }) => BigInt(callNumber));
  await after.stop();
  return [first ?? 0n, second ?? 0n];
}

const RESTORES = [
  ['which has an older caller', 'UPDATE cases.agency_caller SET epoch = 5'],
  ['which knows of no caller', 'DELETE FROM cases.agency_caller'],
] as const;

test.each(RESTORES)(
  'after a restore of an older database, %s, calls are newer than all before',
  async (_, restore) => {
    const [first, second] = await callsAroundRestore(startCases, restore);
    expect(second).toBeGreaterThan(first);
  },
);

test('shown able to fail: an epoch that only counts on is older after a restore', async () => {
  mutateImports([
    {
      file: 'services/cases/src/caller/caller-session.ts',
      find: 'epoch = greatest(caller.epoch + 1, EXCLUDED.epoch)',
      replace: 'epoch = caller.epoch + 1',
    },
  ]);
  const { startCases: mutated } = await import('./cases-fixture.ts');
  const [first, second] = await callsAroundRestore(mutated, RESTORES[0][1]);
  expect(second).toBeLessThan(first);
});

test('callers one after the other within a second have numbers of their own', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  for (let turn = 0; turn < 3; turn += 1) {
    const cases = await startCases({ database });
    await cases.check([NUMBER]);
    await cases.stop();
  }
  const cases = await startCases({ database });
  const numbers = (await cases.eventsOf(caseObserved)).map(({ callNumber }) => BigInt(callNumber));
  await cases.stop();
  expect(numbers).toHaveLength(3);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1)));
});

test('a process that stops while it waits for the calls of one that was lost leaves that wait to the next', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  await (await startCases({ database })).stop();
  await database.query('UPDATE cases.agency_caller SET left_at = NULL');
  const [before] = await database.query('SELECT epoch FROM cases.agency_caller');
  const next = await startCases({ database });
  await expect.poll(async () => (await next.caller())?.epoch).not.toBe(before?.epoch);
  await next.stop();
  const [row] = await database.query('SELECT left_at FROM cases.agency_caller');
  expect(row?.left_at).toBeNull();
});
