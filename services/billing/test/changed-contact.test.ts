import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { person, startBilling, startDirectory, until } from './billing-fixture.ts';

const directory = startDirectory();
const billing = await forThisFile(startBilling({ services: directory.client }));

interface Contact {
  email: string | null;
  name: string | null;
}

async function customer() {
  const as = person();
  await billing.signedUp(as.userId);
  await billing.begin(as);
  const id = (await billing.row(as.userId))?.stripe_customer_id;
  return { ...as, atStripe: () => billing.stripe<Contact>('GET', `/v1/customers/${id}`) };
}

const row = async (userId: string) => {
  const [found] = await billing.database.query<Contact & { contact_changed: boolean; failures: number }>(
    'SELECT email, name, contact_changed, failures FROM billing.customers WHERE user_id = $1',
    [userId],
  );
  return found;
};
/** The job gets its turns until nothing is left to do for the customer at Stripe. */
const settled = (userId: string) =>
  until(
    async () => {
      await billing.clock.advance(5_000);
      return row(userId);
    },
    (found) => found?.contact_changed === false,
  );

test('receipts follow the user to another address and name', async () => {
  const ana = await customer();
  directory.changed.set(ana.userId, 'ana@another.example');
  await billing.changed(ana.userId, { name: 'Ana Ruiz', emailChanged: true });
  expect(await settled(ana.userId)).toMatchObject({ email: 'ana@another.example', name: 'Ana Ruiz' });
  expect(await ana.atStripe()).toMatchObject({ email: 'ana@another.example', name: 'Ana Ruiz' });
});

test('a change of the tier alone asks nothing of Stripe', async () => {
  const ana = await customer();
  await billing.changed(ana.userId, { tier: 'free' });
  expect(await row(ana.userId)).toMatchObject({ contact_changed: false });
});

test('a change before the first purchase is settled with it, and one of a deleted user not at all', async () => {
  const [ana, deleted] = [person(), person()];
  for (const { userId } of [ana, deleted]) await billing.signedUp(userId);
  await billing.deleted(deleted.userId);
  for (const { userId } of [ana, deleted])
    await billing.changed(userId, { name: 'Ana Ruiz', emailChanged: true });
  directory.changed.set(ana.userId, 'ruiz@another.example');
  await billing.begin(ana);
  expect(await settled(ana.userId)).toMatchObject({ email: 'ruiz@another.example', name: 'Ana Ruiz' });
  expect(await row(deleted.userId)).toMatchObject({ email: null, name: null, contact_changed: false });
});

test('while identity can not be asked the account is reconciled all the same, and the address follows later', async () => {
  const ana = await customer();
  directory.unavailable.identity = true;
  await billing.changed(ana.userId, { emailChanged: true });
  const due = () =>
    billing.database.query<{ due: boolean }>(
      'SELECT due_at <= $2 AS due FROM billing.customers WHERE user_id = $1',
      [ana.userId, new Date(billing.clock.nowMs())],
    );
  await until(
    async () => {
      await billing.clock.advance(5_000);
      return due();
    },
    ([found]) => found?.due === false,
  );
  expect(await row(ana.userId)).toMatchObject({ contact_changed: true, failures: 0 });
  directory.unavailable.identity = false;
  directory.changed.set(ana.userId, 'later@another.example');
  await settled(ana.userId);
  expect(await ana.atStripe()).toMatchObject({ email: 'later@another.example' });
});

test('an address that Stripe refuses is not offered to it again', async () => {
  const ana = await customer();
  directory.changed.set(ana.userId, 'no address');
  await billing.changed(ana.userId, { emailChanged: true });
  await settled(ana.userId);
  expect(await ana.atStripe()).toMatchObject({ email: 'ana@example.org' });
});

test('an address that Stripe failed to take is taken later', async () => {
  const ana = await customer();
  directory.changed.set(ana.userId, 'later@another.example');
  await billing.control('PUT', '/faults', { mode: 'server-error', path: '/v1/customers/', method: 'POST' });
  await billing.changed(ana.userId, { emailChanged: true });
  await until(
    async () => {
      await billing.clock.advance(5_000);
      return (
        (await billing.control('GET', '/requests')) as { requests: { method: string; status: number }[] }
      ).requests;
    },
    (requests) => requests.some(({ method, status }) => method === 'POST' && status === 500),
  );
  await billing.control('PUT', '/faults', { mode: 'none' });
  await settled(ana.userId);
  expect(await ana.atStripe()).toMatchObject({ email: 'later@another.example' });
});
