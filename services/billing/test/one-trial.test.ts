import type { Person } from '@casewatch/testing/test-service';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type BillingFixture,
  DAY_MS,
  intentOf,
  MONTHLY,
  ownCard,
  person,
  startBilling,
  startDirectory,
  until,
  YEARLY,
} from './billing-fixture.ts';

const directory = startDirectory();
let billing: BillingFixture;
beforeAll(async () => {
  billing = await startBilling({ env: { TRIAL_DAYS: '14' }, services: directory.client, replicas: 2 });
});
afterEach(() => {
  directory.unavailable.identity = false;
  billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
});
afterAll(() => billing.stop());

/** A user with this address. */
function personAt(email: string): Person {
  const as = person();
  directory.changed.set(as.userId, email);
  return as;
}

/** Begins, confirms what the browser is given with this card, and reports it. */
async function begin(as: Person, card = ownCard()) {
  const { clientSecret, intent, trialRefused } = await billing.begin(as);
  await billing.pay(clientSecret, card);
  return { intent, trialRefused, after: await billing.confirmPayment(as, intentOf(clientSecret)) };
}

async function deleteAccount({ userId }: Person) {
  await billing.deleted(userId);
  await until(
    async () => {
      await billing.clock.advance(5_000);
      return billing.row(userId);
    },
    (row) => row?.stripe_customer_id === null && row.due_at === null,
  );
}

const claims = ({ userId }: Person) =>
  billing.database.query('SELECT * FROM billing.trial_claims WHERE user_id = $1', [userId]);
const charges = async (as: Person) => {
  const row = await billing.row(as.userId);
  const { data } = await billing.stripe<{ data: { amount: number; status: string }[] }>(
    'GET',
    `/v1/charges?customer=${row?.stripe_customer_id}`,
  );
  return data.map(({ amount, status }) => `${status} ${amount}`);
};
const TRIAL = { tier: 'pro', status: 'trialing', paymentStatus: 'succeeded' };
const NO_TRIAL = { tier: 'free', status: null, trialRefused: true, paymentStatus: 'succeeded' };
const PAID = { tier: 'pro', status: 'active', paymentStatus: 'succeeded' };

test('an account that is deleted and made again with the same address and card gets no second trial, and pays what it agreed to', async () => {
  const card = ownCard();
  let as = personAt('again@example.org');
  expect((await begin(as, card)).after).toEqual(TRIAL);
  for (const address of ['again@example.org', 'Again+2@Example.org']) {
    await deleteAccount(as);
    as = personAt(address);
    expect(await begin(as, card)).toEqual({ intent: 'payment', trialRefused: true, after: PAID });
    expect(await charges(as)).toEqual(['succeeded 900']);
  }
}, 60_000);

test('with the address of a trial there is none, with another card either: the user learns it before giving a card', async () => {
  await begin(personAt('ana.diaz@gmail.com'));
  const as = personAt('AnaDiaz+new@googlemail.com');
  await billing.signedUp(as.userId, 'AnaDiaz+new@googlemail.com');
  expect(await billing.subscription(as)).toMatchObject({ trialAvailable: false });
  expect(await billing.begin(as)).toMatchObject({ intent: 'payment', trialRefused: true });
  expect(await billing.subscription(as)).toMatchObject({ trialAvailable: false, trialRefused: true });
});

test('with the card of a trial there is none for another account: nothing is charged before the price is agreed to', async () => {
  const card = ownCard();
  await begin(personAt('one@example.org'), card);
  const as = personAt('two@example.org');
  expect(await begin(as, card)).toEqual({ intent: 'setup', trialRefused: undefined, after: NO_TRIAL });
  expect(await charges(as)).toEqual([]);
  const shown = await billing.subscription(as);
  expect(shown).toMatchObject({
    tier: 'free',
    status: null,
    trialAvailable: false,
    trialRefused: true,
    card: null,
  });
  // Nothing happens by itself when the trial would have ended.
  await billing.advance(15 * DAY_MS);
  expect(await charges(as)).toEqual([]);
  expect((await billing.subscription(as)).tier).toBe('free');
  // Then as anyone who buys without a trial.
  expect(await begin(as, card)).toEqual({ intent: 'payment', trialRefused: true, after: PAID });
  expect(await charges(as)).toEqual(['succeeded 900']);
  expect(await billing.subscription(as)).not.toHaveProperty('trialRefused');
});

test('a webhook that comes before the browser ends a refused trial as well, and nothing is published', async () => {
  const card = ownCard();
  await begin(personAt('hook-1@example.org'), card);
  const as = personAt('hook-2@example.org');
  const { clientSecret } = await billing.begin(as);
  const before = (await billing.published()).length;
  await billing.pay(clientSecret, card);
  await expect
    .poll(async () => {
      await billing.settled();
      return billing.subscription(as);
    })
    .toMatchObject({ tier: 'free', trialRefused: true });
  const mine = (await billing.published())
    .slice(before)
    .filter(({ payload }) => JSON.stringify(payload).includes(as.userId));
  expect(mine.map(({ payload }) => payload)).not.toContainEqual(expect.objectContaining({ tier: 'pro' }));
  expect(mine.map(({ name }) => name)).not.toContain('plan-milestone-reached');
});

test('of two accounts that confirm one card at the same time, one gets the trial', async () => {
  const card = ownCard();
  const people = [personAt('race-1@example.org'), personAt('race-2@example.org')];
  billing.proxy.sendTo(undefined);
  const secrets = await Promise.all(people.map((as) => billing.begin(as)));
  for (const { clientSecret } of secrets) await billing.pay(clientSecret, card);
  const locked = await billing.database.openPool('billing', 1).connect();
  try {
    // Both have looked, and neither has written.
    await locked.query('BEGIN');
    await locked.query('LOCK TABLE trial_claims IN SHARE MODE');
    const confirming = people.map(async (as, replica) => {
      const paymentIntentId = intentOf(secrets[replica]?.clientSecret);
      const answer = await billing.call('POST', '/api/confirm-payment', as, { paymentIntentId }, replica);
      return (await answer.json()) as { tier: string };
    });
    await until(
      () =>
        billing.database.query<{ waiting: number }>(
          "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO trial_claims%'",
        ),
      ([row]) => row?.waiting === 2,
    );
    await locked.query('COMMIT');
    const tiers = (await Promise.all(confirming)).map(({ tier }) => tier).sort();
    expect(tiers).toEqual(['free', 'pro']);
  } finally {
    locked.release(true);
  }
});

test('a deletion during a claim leaves no id with it', async () => {
  const as = personAt('deleted-in-claim@example.org');
  billing.proxy.sendTo(undefined);
  const { clientSecret } = await billing.begin(as);
  await billing.pay(clientSecret, ownCard());
  const locked = await billing.database.openPool('billing', 1).connect();
  try {
    await locked.query('BEGIN');
    await locked.query('LOCK TABLE trial_claims IN SHARE MODE');
    const paymentIntentId = intentOf(clientSecret);
    const confirming = billing.call('POST', '/api/confirm-payment', as, { paymentIntentId });
    const waiting = (query: string) =>
      until(
        () =>
          billing.database.query<{ waiting: number }>(
            "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1",
            [`%${query}%`],
          ),
        ([row]) => row?.waiting === 1,
      );
    await waiting('INSERT INTO trial_claims');
    const deleting = billing.deleted(as.userId);
    await waiting('INSERT INTO customers');
    await locked.query('COMMIT');
    await Promise.all([confirming.then((answer) => answer.arrayBuffer()), deleting]);
    expect(await claims(as)).toEqual([]);
  } finally {
    locked.release(true);
  }
});

test('what stays after a deletion is a keyed hash alone: no address, card, or id', async () => {
  const as = personAt('private@example.org');
  await begin(as);
  const before = await claims(as);
  expect(before.map(({ kind }) => kind).sort()).toEqual(['address', 'payer']);
  await deleteAccount(as);
  const hashes = before.map(({ hash }) => hash);
  const kept = await billing.database.query('SELECT * FROM billing.trial_claims WHERE hash = ANY ($1)', [
    hashes,
  ]);
  for (const row of kept)
    expect(row).toMatchObject({ user_id: null, stripe_subscription_id: null, hash: expect.any(Buffer) });
  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept)).not.toContain('private');
});

test('a trial that was begun earlier is taken back when its address has had another one since', async () => {
  const [first, second] = [personAt('both@example.org'), personAt('BOTH@example.org')];
  const waiting = await billing.begin(second);
  expect(waiting.intent).toBe('setup');
  expect((await begin(first)).after).toEqual(TRIAL);
  expect(await billing.begin(second)).toMatchObject({ intent: 'payment', trialRefused: true });
  expect((await billing.pay(waiting.clientSecret)).status).toBe(400);
});

test('who has a trial keeps it: looked at again, with another price, another card, or another address', async () => {
  const as = personAt('keeps@example.org');
  await begin(as);
  directory.changed.set(as.userId, 'moved@example.org');
  const row = await billing.row(as.userId);
  const others = ownCard();
  await begin(personAt('others-card@example.org'), others);
  const portal = await billing
    .stripe<{ id: string }>('POST', `/v1/subscriptions/${row?.stripe_subscription_id}`, {
      'items[0][price]': YEARLY,
      proration_behavior: 'none',
    })
    .catch(() => undefined);
  expect(portal === undefined || portal.id === row?.stripe_subscription_id).toBe(true);
  expect(await billing.sync(as)).toEqual({ tier: 'pro', status: 'trialing' });
  expect(await billing.begin(as, MONTHLY)).toEqual({ tier: 'pro', status: 'trialing' });
});

test('a card that was never confirmed, or declined, has had no trial', async () => {
  const card = ownCard();
  const as = personAt('declined@example.org');
  const { clientSecret } = await billing.begin(as);
  expect((await billing.pay(clientSecret, 'pm_card_chargeDeclined')).status).toBe(402);
  await billing.sync(as);
  expect(await claims(as)).toEqual([]);
  await deleteAccount(as);
  expect((await begin(personAt('declined@example.org'), card)).after).toEqual(TRIAL);
});

test('while identity can not be asked a confirmed card neither begins a trial nor loses it', async () => {
  const as = personAt('later@example.org');
  billing.proxy.sendTo(undefined);
  const { clientSecret } = await billing.begin(as);
  await billing.pay(clientSecret, ownCard());
  directory.unavailable.identity = true;
  const paymentIntentId = intentOf(clientSecret);
  const answer = await billing.call('POST', '/api/confirm-payment', as, { paymentIntentId });
  expect(answer.status).toBeGreaterThanOrEqual(500);
  directory.unavailable.identity = false;
  expect(await billing.confirmPayment(as, paymentIntentId)).toEqual(TRIAL);
});
