import { poolExecutor } from '@casewatch/service-kit/database/sql-executor';
import { systemClock } from '@casewatch/service-kit/runtime/clock';
import { createOutboxBus, publishedEvents } from '@casewatch/testing/outbox-bus';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../src/data/open-database.ts';
import { userRows } from '../src/data/user-rows.ts';
import { NEW_PLAN } from '../src/domain/plan-milestones.ts';
import { person } from './billing-fixture.ts';

const bus = createOutboxBus(systemClock);
let database: TestDatabase;
let opened: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await createTestDatabase();
  const logger = pino({ level: 'silent' });
  const url = database.urlFor('billing');
  const directUrl = database.directUrlFor('billing');
  opened = openDatabase({ url, directUrl, maximum: 4, usersAtOnce: 2, logger, bus });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

// Of each test only its own rows are due.
beforeEach(async () => {
  await database.query('UPDATE billing.customers SET due_at = NULL, urgent = false');
  await database.query('DELETE FROM billing.provider_events');
});

const NOW = Date.parse('2026-01-05T12:00:00Z');
const MINUTE = 60_000;

const seen = {
  entitlement: undefined,
  trialUsed: false,
  change: { tier: 'pro', status: 'active' },
  milestones: [],
  plan: NEW_PLAN,
  nextReconcileMs: null,
} as const;
const publishedChanges = async (userId: string) =>
  (await publishedEvents(database, 'billing')).filter(({ payload }) =>
    JSON.stringify(payload).includes(userId),
  );

test('a user with many calls at once leaves connections to other users and to the reconciliation', async () => {
  const [ana, bob] = [person().userId, person().userId];
  const provider = Promise.withResolvers<void>();
  const calls = Array.from({ length: 10 }, () => opened.store.withUserLock(ana, () => provider.promise));
  const settled = Promise.allSettled(calls);
  const job = opened.store.withUserLock(ana, async () => 'reconciled', { skipQueue: true });
  expect(await opened.store.withUserLock(bob, async () => 'served')).toBe('served');
  provider.resolve();
  expect(await job).toBe('reconciled');
  const refused = (await settled).flatMap((call) => (call.status === 'rejected' ? [call.reason] : []));
  expect(refused).toEqual(Array(4).fill(expect.objectContaining({ code: 'RATE_LIMITED' })));
});

test('of two writes with the same version of an account one is saved, and publishes once', async () => {
  const { userId } = person();
  const account = await opened.store.findOrCreate(userId);
  const kept = await Promise.all([
    opened.store.saveReconciled(account, seen),
    opened.store.saveReconciled(account, seen),
  ]);
  expect(kept.toSorted()).toEqual([false, true]);
  expect(await publishedChanges(userId)).toHaveLength(1);
  expect(await opened.store.saveReconciled(account, seen)).toBe(false);
  expect((await opened.store.find(userId))?.version).toBe(account.version + 1);
});

test('the state is not saved when its event cannot be written', async () => {
  const { userId } = person();
  const account = await opened.store.findOrCreate(userId);
  bus.isBroken = true;
  await expect(opened.store.saveReconciled(account, seen)).rejects.toThrow('the outbox cannot be written');
  bus.isBroken = false;
  expect(await opened.store.find(userId)).toEqual(account);
  expect(await opened.store.saveReconciled(account, seen)).toBe(true);
});

async function customer() {
  const { userId } = person();
  const customerId = `cus_${userId}`;
  await opened.store.findOrCreate(userId);
  await opened.store.saveCustomer(userId, customerId, NOW);
  const read = async () => {
    const account = await opened.store.find(userId);
    if (!account) throw new Error('the account is missing');
    return account;
  };
  return { userId, customerId, read, row: () => rowOf(userId) };
}
async function rowOf(userId: string) {
  const [row] = await database.query(
    `SELECT due_at, urgent, wakes, failures, email, name, contact_changed, stripe_customer_id, deleted_at
     FROM billing.customers WHERE user_id = $1`,
    [userId],
  );
  return row;
}
const sql = () => poolExecutor(opened.pool);

test('an event that comes while its account is reconciled makes it due again, whatever was read before', async () => {
  const { customerId, userId, read, row } = await customer();
  const before = await read();
  await opened.store.postponeReconcile(userId, NOW + 5 * MINUTE);
  await opened.store.postponeReconcile(userId, NOW + 9 * MINUTE);
  expect(await row()).toMatchObject({ due_at: new Date(NOW + 9 * MINUTE), failures: 2, urgent: false });
  await opened.store.makeCustomerDue(customerId, NOW);
  const later = { ...seen, nextReconcileMs: NOW + 60 * MINUTE };
  expect(await opened.store.saveReconciled(before, later)).toBe(true);
  expect(await row()).toMatchObject({ due_at: new Date(NOW), urgent: true, failures: 0 });
  expect(await opened.store.saveReconciled(await read(), later)).toBe(true);
  expect(await row()).toMatchObject({ due_at: new Date(NOW + 60 * MINUTE), urgent: false });
});

test('an event leaves an account due that was due before it', async () => {
  const { customerId, userId, row } = await customer();
  await opened.store.postponeReconcile(userId, NOW - MINUTE);
  await opened.store.makeCustomerDue(customerId, NOW);
  expect(await row()).toMatchObject({ due_at: new Date(NOW - MINUTE), urgent: true, wakes: 1 });
});

test('a customer that is saved after its user was deleted is due to be removed; another is not due', async () => {
  const { userId, row } = await customer();
  expect(await row()).toMatchObject({ due_at: null, urgent: false });
  await userRows.erase(sql(), userId, NOW - MINUTE);
  await opened.store.close(userId);
  expect(await row()).toMatchObject({ due_at: null, urgent: false, stripe_customer_id: null });
  await opened.store.saveCustomer(userId, `cus_late_${userId}`, NOW);
  expect(await row()).toMatchObject({ due_at: new Date(NOW), urgent: true });
});

test('a customer that is asked for is remembered until its id is saved, and none is asked for a deleted user', async () => {
  const { userId, customerId, read } = await customer();
  expect(await opened.store.askForCustomer(userId, NOW)).toBe(true);
  expect(await read()).toMatchObject({ customerAskedMs: NOW });
  await opened.store.saveCustomer(userId, customerId, NOW);
  expect(await read()).toMatchObject({ customerAskedMs: null });
  await userRows.erase(sql(), userId, NOW);
  expect(await opened.store.askForCustomer(userId, NOW)).toBe(false);
  expect(await read()).toMatchObject({ customerAskedMs: null });
});

test('a deletion is due when a customer whose creation was not answered can be found, and then at once', async () => {
  const { userId, read, row } = await customer();
  await opened.store.askForCustomer(userId, NOW - MINUTE);
  await userRows.erase(sql(), userId, NOW);
  expect(await row()).toMatchObject({ due_at: new Date(NOW + 9 * MINUTE), urgent: true });
  await userRows.erase(sql(), userId, NOW + 20 * MINUTE);
  expect(await row()).toMatchObject({ due_at: new Date(NOW + 20 * MINUTE) });
  await opened.store.close(userId);
  expect(await read()).toMatchObject({ customerId: null, customerAskedMs: null });
});

test('only the customer of a deleted user is closed', async () => {
  const { userId, customerId, row } = await customer();
  await opened.store.postponeReconcile(userId, NOW);
  await opened.store.close(userId);
  expect(await row()).toMatchObject({ stripe_customer_id: customerId, due_at: new Date(NOW), failures: 1 });
});

test('a deletion is due at once, keeps its first time, and keeps work in progress from being saved', async () => {
  const { userId, read, row } = await customer();
  const before = await read();
  await opened.store.postponeReconcile(userId, NOW + 60 * MINUTE);
  await userRows.erase(sql(), userId, NOW);
  await userRows.erase(sql(), userId, NOW + MINUTE);
  expect(await row()).toMatchObject({
    due_at: new Date(NOW + MINUTE),
    deleted_at: new Date(NOW),
    urgent: true,
    wakes: before.wakes + 2,
  });
  expect(await opened.store.saveReconciled(before, seen)).toBe(false);
  expect(await opened.store.saveReconciled(await read(), seen)).toBe(false);
  const { userId: unknown } = person();
  await userRows.erase(sql(), unknown, NOW);
  expect(await rowOf(unknown)).toMatchObject({
    due_at: new Date(NOW),
    deleted_at: new Date(NOW),
    urgent: true,
  });
});

test('a changed name or address makes the customer due, and what has not changed does not', async () => {
  const { userId, row } = await customer();
  let version = 0;
  const change = (name: string, emailChanged: boolean) =>
    userRows.recordChanged(sql(), { userId, name, tier: 'free', emailChanged, version: ++version }, NOW);
  await change('Ana', false);
  const changed = { name: 'Ana', contact_changed: true, due_at: new Date(NOW) };
  expect(await row()).toMatchObject({ ...changed, wakes: 1 });
  await change('Ana', false);
  expect(await row()).toMatchObject({ wakes: 1 });
  await opened.store.postponeReconcile(userId, NOW - MINUTE);
  await change('Ana', true);
  expect(await row()).toMatchObject({ wakes: 2, due_at: new Date(NOW - MINUTE), urgent: false });
});

test('the name of an earlier change, and that of a late sign-up, do not replace a later one', async () => {
  const { userId, row } = await customer();
  const change = (name: string, version: number) =>
    userRows.recordChanged(sql(), { userId, name, tier: 'free', emailChanged: false, version }, NOW);
  await change('Ana Ruiz', 3);
  await change('Ana Diaz', 2);
  await userRows.record(sql(), { userId, email: 'ana@example.org', name: 'Ana' });
  expect(await row()).toMatchObject({ name: 'Ana Ruiz', wakes: 1 });
});

test('an address is recorded as the one at the provider unless the user has changed again, or is deleted', async () => {
  const { userId, read, row } = await customer();
  const before = await read();
  const change = { userId, name: 'Ana', tier: 'free', emailChanged: true, version: 1 } as const;
  await userRows.recordChanged(sql(), change, NOW);
  await opened.store.saveContact(before, 'then@example.org');
  expect(await row()).toMatchObject({ email: null, contact_changed: true });
  await opened.store.saveContact(await read(), 'now@example.org');
  expect(await row()).toMatchObject({ email: 'now@example.org', contact_changed: false });
  await userRows.erase(sql(), userId, NOW);
  await opened.store.saveContact(await read(), 'late@example.org');
  expect(await row()).toMatchObject({ email: null });
});

test('due accounts are claimed from the oldest on, each by one process until its lease is over', async () => {
  const dueAt = async (ms: number) => {
    const { userId } = await customer();
    await opened.store.postponeReconcile(userId, ms);
    return userId;
  };
  const second = await dueAt(NOW - 2 * MINUTE);
  const oldest = await dueAt(NOW - 3 * MINUTE);
  const newest = await dueAt(NOW);
  const later = await dueAt(NOW + MINUTE);
  const claim = (nowMs: number, limit = 2) =>
    opened.store.claimDue({ nowMs, leaseMs: MINUTE, limit, urgent: false });
  expect((await claim(NOW)).toSorted()).toEqual([oldest, second].toSorted());
  expect(await claim(NOW)).toEqual([newest]);
  expect(await claim(NOW + MINUTE - 1)).toEqual([]);
  expect((await claim(NOW + MINUTE, 8)).toSorted()).toEqual([oldest, second, newest, later].toSorted());
});

test('urgent accounts are claimed apart from the others', async () => {
  const [urgent, routine] = [await customer(), await customer()];
  await opened.store.postponeReconcile(routine.userId, NOW - MINUTE);
  await opened.store.makeCustomerDue(urgent.customerId, NOW);
  const claim = (isUrgent: boolean) =>
    opened.store.claimDue({ nowMs: NOW, leaseMs: MINUTE, limit: 8, urgent: isUrgent });
  expect(await claim(true)).toEqual([urgent.userId]);
  expect(await claim(true)).toEqual([]);
  expect(await claim(false)).toEqual([routine.userId]);
});

test('an event that names a customer makes the account due once, one without waits for its customer', async () => {
  const { customerId, row } = await customer();
  const event = { id: 'evt_1', type: 'invoice.paid', customerId, paymentIntentId: undefined };
  expect(await opened.store.saveEvent(event, NOW)).toBe(true);
  expect(await row()).toMatchObject({ due_at: new Date(NOW), urgent: true, wakes: 1 });
  expect(await opened.store.saveEvent(event, NOW)).toBe(false);
  expect(await row()).toMatchObject({ wakes: 1 });
  const dispute = { ...event, id: 'evt_2', customerId: undefined, paymentIntentId: 'pi_2' };
  await opened.store.saveEvent(dispute, NOW - MINUTE);
  await opened.store.saveEvent({ ...dispute, id: 'evt_3', paymentIntentId: undefined }, NOW - MINUTE);
  await opened.store.saveEvent({ ...dispute, id: 'evt_4', paymentIntentId: 'pi_4' }, NOW - 2 * MINUTE);
  const claim = async (nowMs: number, limit: number) =>
    (await opened.store.claimEvents({ nowMs, leaseMs: MINUTE, limit })).map(
      ({ paymentIntentId, failures }) => [paymentIntentId, failures],
    );
  expect(await claim(NOW - 2 * MINUTE, 1)).toEqual([['pi_4', 0]]);
  expect(await claim(NOW - MINUTE - 1, 4)).toEqual([]);
  await opened.store.postponeEvent('evt_2', NOW + MINUTE);
  await opened.store.finishEvent('evt_4', NOW);
  expect(await claim(NOW + MINUTE - 1, 4)).toEqual([]);
  expect(await claim(NOW + MINUTE, 4)).toEqual([['pi_2', 1]]);
});

test('events are claimed from the oldest on, and removed in batches when they were done long enough ago', async () => {
  const event = { type: 'charge.dispute.closed', customerId: undefined };
  for (const [id, minutes] of [
    ['b', 2],
    ['a', 3],
    ['c', 1],
  ] as const)
    await opened.store.saveEvent({ ...event, id, paymentIntentId: `pi_${id}` }, NOW - minutes * MINUTE);
  const [first] = await opened.store.claimEvents({ nowMs: NOW, leaseMs: MINUTE, limit: 1 });
  expect(first?.id).toBe('a');
  for (const [id, doneMs] of [
    ['a', NOW - 2],
    ['b', NOW - 1],
    ['c', NOW],
  ] as const)
    await opened.store.finishEvent(id, doneMs);
  await opened.store.saveEvent({ ...event, id: 'waiting', paymentIntentId: 'pi' }, NOW - MINUTE);
  expect(await opened.store.removeEventsDoneBefore(NOW, 1)).toBe(1);
  expect(await opened.store.removeEventsDoneBefore(NOW, 8)).toBe(1);
  expect(await opened.store.removeEventsDoneBefore(NOW, 8)).toBe(0);
  const left = await database.query('SELECT id FROM billing.provider_events ORDER BY id');
  expect(left).toEqual([{ id: 'c' }, { id: 'waiting' }]);
});

test('saved prices replace those before, and are in the order in which they were given', async () => {
  const price = (id: string, cents: number) => ({ id, cents, interval: 'month', name: id }) as const;
  await opened.store.savePrices([price('a', 1), price('b', 2)], NOW);
  await opened.store.savePrices([price('c', 3), price('a', 4)], NOW);
  // The newest version of a row comes last when nothing orders them.
  await database.query(`UPDATE billing.prices SET name = 'c' WHERE id = 'c'`);
  expect(await opened.store.prices()).toEqual([price('c', 3), price('a', 4)]);
});
