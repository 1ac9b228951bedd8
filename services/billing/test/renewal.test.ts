import { forThisFile } from '@casewatch/testing/for-this-file';
import { expect, test } from 'vitest';
import { DAY_MS, errorOf, person, startBilling, until } from './billing-fixture.ts';

const billing = await forThisFile(startBilling({ env: { BILLING_GRACE_DAYS: '3' } }));

const publishedChanges = async (userId: string) =>
  (await billing.published())
    .filter(({ name }) => name === 'subscription-changed')
    .map(({ payload }) => payload)
    .filter((payload) => JSON.stringify(payload).includes(userId));
const change = (what: 'cancel' | 'resume', as: { userId: string }) =>
  billing.call('POST', `/api/billing/${what}`, as);

test('a cancelled subscription lasts until the time that is paid ends, then the user is free', async () => {
  const as = await billing.subscriber();
  const paidUntil = (await billing.subscription(as)).renewsAt;
  const answer = await change('cancel', as);
  expect(await answer.json()).toMatchObject({
    tier: 'pro',
    status: 'active',
    renewsAt: null,
    endsAt: paidUntil,
    canCancel: false,
    canResume: true,
  });
  await billing.control('DELETE', '/requests');
  expect((await change('cancel', as)).status).toBe(200);
  const { requests } = (await billing.control('GET', '/requests')) as { requests: { method: string }[] };
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  await billing.advance(32 * DAY_MS);
  await until(
    () => billing.subscription(as),
    ({ tier }) => tier === 'free',
  );
  expect(await billing.subscription(as)).toMatchObject({
    status: 'canceled',
    price: null,
    endsAt: null,
    canResume: false,
  });
  expect(await publishedChanges(as.userId)).toEqual([
    { userId: as.userId, tier: 'pro', status: 'active', version: expect.any(Number) },
    { userId: as.userId, tier: 'free', status: 'canceled', version: expect.any(Number) },
  ]);
  expect(await errorOf(await change('resume', as))).toMatchObject({ status: 409, code: 'NO_SUBSCRIPTION' });
});

test('a cancellation can be taken back before it comes into effect', async () => {
  const as = await billing.subscriber();
  const before = await billing.subscription(as);
  await change('cancel', as);
  expect(await (await change('resume', as)).json()).toEqual(before);
  expect((await change('resume', as)).status).toBe(200);
  await billing.advance(32 * DAY_MS);
  await until(
    () => billing.subscription(as),
    ({ renewsAt }) => renewsAt !== null && renewsAt !== before.renewsAt,
  );
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', status: 'active' });
});

test('while support has paused the payments pro goes on, nothing is charged, and no renewal is named', async () => {
  const as = await billing.subscriber('pm_card_renewalDeclined');
  const { id } = await billing.subscription(as);
  const resumesMs = billing.clock.nowMs() + 45 * DAY_MS;
  await billing.stripe('POST', `/v1/subscriptions/${id}`, {
    'pause_collection[behavior]': 'mark_uncollectible',
    'pause_collection[resumes_at]': String(resumesMs / 1000),
  });
  const paused = { resumeAt: new Date(resumesMs).toISOString() };
  await until(
    () => billing.subscription(as),
    ({ paymentsPaused }) => paymentsPaused !== undefined,
  );
  expect(await billing.subscription(as)).toMatchObject({ renewsAt: null, paymentsPaused: paused });
  // The renewal in the pause would have been declined.
  await billing.advance(32 * DAY_MS);
  const renewed = await until(
    () => billing.subscription(as),
    ({ renewsAt }) => renewsAt !== null,
  );
  expect(renewed).toMatchObject({
    tier: 'pro',
    status: 'active',
    paymentFailed: false,
    paymentsPaused: paused,
  });
  await billing.advance(14 * DAY_MS);
  await until(
    () => billing.subscription(as),
    ({ paymentsPaused }) => paymentsPaused === undefined,
  );
  await billing.advance(18 * DAY_MS);
  const { status, endsAt } = await until(
    () => billing.subscription(as),
    ({ paymentFailed }) => paymentFailed,
  );
  expect(status).toBe('past_due');
  // The grace of the first renewal that was charged, and not of the one in the pause.
  expect(Date.parse(endsAt ?? '')).toBeGreaterThan(billing.clock.nowMs());
  expect(await publishedChanges(as.userId)).toMatchObject([
    { status: 'active' },
    { tier: 'pro', status: 'past_due' },
  ]);
});

test('without a subscription there is nothing to cancel, to resume or to open', async () => {
  const begun = person();
  await billing.begin(begun);
  for (const as of [person(), begun]) {
    expect((await change('cancel', as)).status).toBe(409);
    expect((await change('resume', as)).status).toBe(409);
  }
  expect(await errorOf(await billing.call('POST', '/api/billing/portal', person()))).toMatchObject({
    status: 409,
    code: 'NO_SUBSCRIPTION',
  });
});

test('the portal leads back to the profile', async () => {
  const as = await billing.subscriber();
  const answer = await billing.call('POST', '/api/billing/portal', as);
  const { url } = (await answer.json()) as { url: string };
  expect(url).toMatch(/^http/);
  const { requests } = (await billing.control('GET', '/requests')) as {
    requests: { path: string; params: { return_url?: string } }[];
  };
  const opened = requests.filter(({ path }) => path === '/v1/billing_portal/sessions');
  expect(opened.map(({ params }) => params.return_url)).toEqual(['https://casewatch.test/profile']);
});

test('an unpaid renewal leaves pro for the days of grace, says until when, then ends it at that moment', async () => {
  const as = await billing.subscriber('pm_card_renewalDeclined');
  await billing.advance(31 * DAY_MS + 60_000);
  const pastDue = await until(
    () => billing.subscription(as),
    ({ status }) => status === 'past_due',
  );
  expect(pastDue).toMatchObject({ tier: 'pro', paymentFailed: true, renewsAt: null, canCancel: true });
  const endsMs = Date.parse(pastDue.endsAt ?? '');
  expect(endsMs - billing.clock.nowMs()).toBeGreaterThan(2 * DAY_MS);
  expect(endsMs - billing.clock.nowMs()).toBeLessThanOrEqual(3 * DAY_MS);
  billing.proxy.sendTo(undefined);
  await billing.clock.advance(endsMs - billing.clock.nowMs() - 60_000);
  await billing.settled();
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', status: 'past_due' });
  await billing.clock.advance(120_000);
  await until(
    async () => {
      await billing.clock.advance(1_000);
      return billing.subscription(as);
    },
    ({ tier }) => tier === 'free',
  );
  billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
  expect((await publishedChanges(as.userId)).at(-1)).toEqual({
    userId: as.userId,
    tier: 'free',
    status: 'past_due',
    version: expect.any(Number),
  });
});

test('canceled while a renewal is unpaid, pro ends with the days of grace, not with the period that was not paid', async () => {
  const as = await billing.subscriber('pm_card_renewalDeclined');
  await billing.advance(31 * DAY_MS + 60_000);
  const { endsAt } = await until(
    () => billing.subscription(as),
    ({ status }) => status === 'past_due',
  );
  expect(await (await change('cancel', as)).json()).toMatchObject({ tier: 'pro', endsAt, canResume: true });
});

test('a failed renewal that is paid on the upgrade page continues', async () => {
  const as = await billing.subscriber('pm_card_renewalDeclined');
  await billing.advance(31 * DAY_MS + 60_000);
  await until(
    () => billing.subscription(as),
    ({ status }) => status === 'past_due',
  );
  const { clientSecret, intent } = await billing.begin(as);
  expect(intent).toBe('payment');
  await billing.pay(clientSecret);
  await until(
    () => billing.subscription(as),
    ({ status }) => status === 'active',
  );
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', paymentFailed: false, endsAt: null });
});

test('a subscription that Stripe stops retrying is over', async () => {
  const as = await billing.subscriber('pm_card_renewalDeclined');
  // A month, and all tries to charge the card.
  for (let days = 0; days < 72; days += 4) await billing.advance(4 * DAY_MS);
  await until(
    () => billing.subscription(as),
    ({ status }) => status === 'canceled',
  );
  expect(await billing.subscription(as)).toMatchObject({ tier: 'free', paymentFailed: false });
});

/** The newest charge, or the one before. */
async function chargeOf(userId: string, nth = 0): Promise<string> {
  const row = await billing.row(userId);
  const { data } = await billing.stripe<{ data: { id: string }[] }>(
    'GET',
    `/v1/charges?customer=${row?.stripe_customer_id}`,
  );
  return data[nth]?.id ?? '';
}

test('a payment that is given back in full ends the subscription at once', async () => {
  const as = await billing.subscriber();
  await billing.stripe('POST', '/v1/refunds', { charge: await chargeOf(as.userId) });
  await until(
    () => billing.subscription(as),
    ({ tier }) => tier === 'free',
  );
  const row = await billing.row(as.userId);
  const all = await billing.subscriptionsAtStripe();
  expect(all.find(({ id }) => id === row?.stripe_subscription_id)).toMatchObject({ status: 'canceled' });
});

test('the last payment that is given back in full ends the subscription while a renewal is unpaid, too', async () => {
  const as = await billing.subscriber('pm_card_renewalDeclined');
  const paid = await chargeOf(as.userId);
  await billing.advance(31 * DAY_MS + 60_000);
  await until(
    () => billing.subscription(as),
    ({ status }) => status === 'past_due',
  );
  await billing.stripe('POST', '/v1/refunds', { charge: paid });
  await until(
    () => billing.subscription(as),
    ({ tier }) => tier === 'free',
  );
  expect(await billing.subscription(as)).toMatchObject({ status: 'canceled', endReason: 'refunded' });
});

test('of an older period, a payment that is given back changes nothing; one whose dispute is lost ends the subscription', async () => {
  const as = await billing.subscriber();
  await billing.advance(31 * DAY_MS + 60_000);
  const older = await until(
    () => chargeOf(as.userId, 1),
    (id) => id !== '',
  );
  await billing.stripe('POST', '/v1/refunds', { charge: older });
  await billing.settled();
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', status: 'active' });
  const dispute = (await billing.control('POST', `/charges/${older}/dispute`, {})) as { id: string };
  await billing.control('POST', `/disputes/${dispute.id}/close`, { outcome: 'lost' });
  await until(
    () => billing.subscription(as),
    ({ tier }) => tier === 'free',
  );
  expect(await billing.subscription(as)).toMatchObject({ status: 'canceled', endReason: 'refunded' });
});

test('a part that is given back changes nothing', async () => {
  const as = await billing.subscriber();
  await billing.stripe('POST', '/v1/refunds', { charge: await chargeOf(as.userId), amount: '100' });
  await billing.settled();
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', status: 'active' });
});

test('a dispute changes nothing until it is lost, which ends the subscription', async () => {
  const as = await billing.subscriber();
  const dispute = (await billing.control('POST', `/charges/${await chargeOf(as.userId)}/dispute`, {})) as {
    id: string;
  };
  await billing.settled();
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro' });
  await billing.control('POST', `/disputes/${dispute.id}/close`, { outcome: 'lost' });
  await until(
    () => billing.subscription(as),
    ({ tier }) => tier === 'free',
  );
});

test('a dispute that is won changes nothing', async () => {
  const as = await billing.subscriber();
  const dispute = (await billing.control('POST', `/charges/${await chargeOf(as.userId)}/dispute`, {})) as {
    id: string;
  };
  await billing.control('POST', `/disputes/${dispute.id}/close`, { outcome: 'won' });
  await billing.settled();
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', status: 'active' });
});
