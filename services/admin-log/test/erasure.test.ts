import { inTransaction } from '@casewatch/service-kit/database/transaction';
import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { callRecorder, eraseUser } from '../src/data/record-calls.ts';
import { toCall } from '../src/domain/call.ts';
import { newUserId, startAdminLog } from './admin-log-fixture.ts';
import { lookupAt } from './lookup-at.ts';

const log = await forThisFile(startAdminLog());

const byUser = (userId: string) => ({ userId, userFirstName: 'Canary', source: 'user' }) as const;
const traces = (userId: string) =>
  log.database.query(
    `SELECT id FROM admin_log.calls WHERE user_id = $1 OR user_first_name = 'Canary' OR name_key = 'canary'`,
    [userId],
  );

test('a deleted user is forgotten in every month; the calls stay and are counted as before', async () => {
  const [deleted, other] = [newUserId(), newUserId()];
  const endedAts = ['2025-11-03T10:00:00Z', '2025-12-03T10:00:00Z', '2026-01-03T10:00:00Z'];
  const ids: string[] = [];
  for (const endedAt of endedAts) ids.unshift(await log.lookedUp({ ...byUser(deleted), endedAt }));
  await log.lookedUp({ userId: other, userFirstName: 'Bea', source: 'user' });
  const { totalCount } = await log.logs();
  await log.userDeleted(deleted);
  expect(await traces(deleted)).toEqual([]);
  expect(await log.logs(`?user=${deleted}`)).toMatchObject({ logs: [], totalCount: 0 });
  expect((await log.logs(`?user=${other}`)).logs).toHaveLength(1);
  const after = await log.logs('?to=2026-01-04T00:00:00Z');
  expect(after.logs.map(({ id }) => id)).toEqual(ids);
  expect(after.logs).toMatchObject(ids.map(() => ({ userId: null, userFirstName: null, source: 'user' })));
  expect((await log.logs()).totalCount).toBe(totalCount);
});

test('calls that become known after the deletion are kept without the user', async () => {
  const deleted = newUserId();
  await log.userDeleted(deleted);
  const id = await log.lookedUp({ ...byUser(deleted), receiptNumber: 'IOE0000000021' });
  const [oneOfTwo] = await log.lookupsRecorded([
    { ...byUser(deleted), receiptNumber: 'IOE0000000022' },
    { ...byUser(newUserId()), userFirstName: 'Bea' },
  ]);
  await log.userDeleted(deleted);
  expect((await log.logs('?receiptNumber=IOE0000000021')).logs).toMatchObject([
    { id, userId: null, userFirstName: null },
  ]);
  expect((await log.logs('?receiptNumber=IOE0000000022')).logs).toMatchObject([
    { id: oneOfTwo, userId: null, userFirstName: null },
  ]);
  expect(await traces(deleted)).toEqual([]);
});

test('a deletion waits for a call that is being stored, and erases it too', async () => {
  const deleted = newUserId();
  const stored = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const storing = inTransaction(log.pool, async (tx) => {
    await callRecorder.record(tx, [toCall({ ...lookupAt(log.clock.nowMs()), ...byUser(deleted) })], 0);
    stored.resolve();
    await goOn.promise;
  });
  await stored.promise;
  const erasing = inTransaction(log.pool, (tx) => eraseUser(tx, deleted, 0));
  await waitsForLock();
  goOn.resolve();
  await Promise.all([storing, erasing]);
  expect(await traces(deleted)).toEqual([]);
});

test('a call that is stored while its user is being deleted waits, and is kept without the user', async () => {
  const deleted = newUserId();
  const erased = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const erasing = inTransaction(log.pool, async (tx) => {
    await eraseUser(tx, deleted, 0);
    erased.resolve();
    await goOn.promise;
  });
  await erased.promise;
  const storing = log.lookedUp(byUser(deleted));
  await waitsForLock();
  goOn.resolve();
  await Promise.all([storing, erasing]);
  expect(await traces(deleted)).toEqual([]);
});

/** Resolves when a transaction waits for the lock of another. */
async function waitsForLock(): Promise<void> {
  await expect
    .poll(() =>
      log.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      ),
    )
    .not.toEqual([]);
}
