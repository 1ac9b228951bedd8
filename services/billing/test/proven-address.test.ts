import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { errorOf, MONTHLY, person, startBilling, startDirectory } from './billing-fixture.ts';

const directory = startDirectory();
const billing = await forThisFile(startBilling({ services: directory.client }));

const subscribe = (as: ReturnType<typeof person>) =>
  billing.call('POST', '/api/create-subscription', as, { priceId: MONTHLY });

test('Pro is not sold to an address that is not proven, and is as soon as it is', async () => {
  const as = person();
  directory.unverified.add(as.userId);
  expect(await errorOf(await subscribe(as))).toMatchObject({ status: 403, code: 'EMAIL_NOT_VERIFIED' });
  expect(await billing.subscription(as)).toMatchObject({ tier: 'free', status: null });
  directory.unverified.delete(as.userId);
  expect((await subscribe(as)).status).toBe(200);
});

test('receipts go to the address that is proven, not to the one of the sign-up', async () => {
  const as = person();
  await billing.signedUp(as.userId);
  directory.changed.set(as.userId, 'diaz@example.org');
  expect((await subscribe(as)).status).toBe(200);
  const customer = (await billing.row(as.userId))?.stripe_customer_id;
  expect(await billing.stripe('GET', `/v1/customers/${customer}`)).toMatchObject({
    email: 'diaz@example.org',
    name: 'Ana Diaz',
  });
});

test('while identity can not be asked nothing is sold, and the answer says to try again', async () => {
  const as = person();
  directory.unavailable.identity = true;
  expect((await subscribe(as)).status).toBeGreaterThanOrEqual(500);
  directory.unavailable.identity = false;
  expect((await subscribe(as)).status).toBe(200);
});

test('what was bought continues without a proven address: looking at it, paying it, and ending it', async () => {
  const as = person();
  await billing.pay((await billing.begin(as)).clientSecret);
  const sync = () => billing.call('POST', '/api/create-subscription', as, {});
  expect(await (await sync()).json()).toMatchObject({ tier: 'pro' });
  directory.unverified.add(as.userId);
  expect(await (await sync()).json()).toMatchObject({ tier: 'pro' });
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro' });
  expect((await billing.call('POST', '/api/billing/cancel', as)).status).toBe(200);
});
