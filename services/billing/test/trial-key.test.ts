import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@casewatch/testing/test-database';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTrialClaims } from '../src/data/trial-claims.ts';
import { person, startBilling } from './billing-fixture.ts';

const [OLD, NEW] = ['the secret of before', 'the secret of now'];
const MARK = { kind: 'address', value: 'ana@example.org' } as const;
const logger = pino({ level: 'silent' });
let database: TestDatabase;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  userId = randomUUID();
  await database.query('TRUNCATE billing.trial_claims, billing.trial_key');
  await database.query('INSERT INTO billing.customers (user_id) VALUES ($1)', [userId]);
  await claimsWith(OLD).claim({ userId, subscriptionId: 'sub_1', nowMs: 0 }, [MARK]);
});
afterAll(() => database.drop());

/** A process of its own, with these secrets. */
const claimsWith = (...secrets: string[]) =>
  createTrialClaims(database.openPool('billing', 2), secrets, logger);
const isTaken = (...secrets: string[]) => claimsWith(...secrets).isTaken(randomUUID(), MARK);

test('what has had a trial is remembered over a replaced secret, as long as one start knows both', async () => {
  expect(await isTaken(OLD)).toBe(true);
  expect(await isTaken(OLD, NEW)).toBe(true);
  expect(await isTaken(NEW, OLD)).toBe(true);
  expect(await isTaken(NEW)).toBe(true);
  expect(await isTaken(OLD)).toBeUndefined();
});

test('a start alone takes the key along to the first secret, without any trial', async () => {
  await claimsWith(NEW, OLD).prepare();
  expect(await isTaken(NEW)).toBe(true);
});

test('without the secret of before nothing is looked up and nothing claimed, so that no trial is given or taken; then all continues', async () => {
  const claims = claimsWith(NEW);
  expect(await claims.isTaken(userId, MARK)).toBeUndefined();
  const claim = { userId, subscriptionId: 'sub_2', nowMs: 0 };
  await expect(claims.claim(claim, [MARK])).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  expect(await claims.has(userId, 'sub_1')).toBe(true);
  await isTaken(NEW, OLD);
  expect(await claims.isTaken(randomUUID(), MARK)).toBe(true);
});

test('processes that start at once on a new database have one key', async () => {
  await database.query('TRUNCATE billing.trial_claims, billing.trial_key');
  const [one, two] = [claimsWith(OLD), claimsWith(OLD)];
  await Promise.all([one.isTaken(userId, MARK), two.isTaken(userId, MARK)]);
  expect(await one.claim({ userId, subscriptionId: 'sub_1', nowMs: 0 }, [MARK])).toBe(true);
  expect(await two.isTaken(randomUUID(), MARK)).toBe(true);
});

test('a copy of the database reveals no address: neither in the hash nor by a guess at it', async () => {
  const [row] = await database.query<{ hash: Buffer; sealed: Buffer }>(
    'SELECT hash, sealed FROM billing.trial_claims, billing.trial_key',
  );
  const { createHash, createHmac } = await import('node:crypto');
  const guess = `address ${MARK.value}`;
  for (const hash of [
    createHash('sha256').update(guess),
    createHmac('sha256', row?.sealed ?? '').update(guess),
  ])
    expect(hash.digest().equals(row?.hash ?? Buffer.alloc(0))).toBe(false);
});

test('a claim is made once, all of it or none, and never for a deleted user', async () => {
  const claims = claimsWith(OLD);
  const again = { userId, subscriptionId: 'sub_1', nowMs: 0 };
  expect(await claims.claim(again, [MARK])).toBe(true);
  const other = randomUUID();
  await database.query('INSERT INTO billing.customers (user_id) VALUES ($1)', [other]);
  const card = { kind: 'payer', value: 'card f1' } as const;
  expect(await claims.claim({ ...again, userId: other }, [MARK, card])).toBe(false);
  expect(await claims.isTaken(randomUUID(), card)).toBe(false);
  await database.query('UPDATE billing.customers SET deleted_at = now() WHERE user_id = $1', [other]);
  expect(await claims.claim({ ...again, userId: other }, [card])).toBe(false);
  expect(await claims.claim({ ...again, userId: randomUUID() }, [card])).toBe(false);
  expect(await claims.claim({ ...again, subscriptionId: 'sub_2' }, [MARK])).toBe(false);
});

test('while the key can not be opened Pro is sold without a trial, which is offered again afterwards', async () => {
  const billing = await startBilling({ database, env: { TRIAL_DAYS: '14', INTERNAL_SECRET: NEW } });
  try {
    const as = person();
    expect(await billing.subscription(as)).toMatchObject({ trialAvailable: true });
    await billing.signedUp(as.userId, 'other@example.org');
    expect(await billing.subscription(as)).toMatchObject({ trialAvailable: false });
    const begun = await billing.begin(as);
    expect(begun).toMatchObject({ intent: 'payment' });
    expect(begun).not.toHaveProperty('trialRefused');
    await isTaken(NEW, OLD);
    expect(await billing.subscription(as)).toMatchObject({ trialAvailable: true });
  } finally {
    await billing.stop();
  }
});
