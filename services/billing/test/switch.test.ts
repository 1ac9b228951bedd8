import type { Invoice, Subscription } from '@casewatch/contracts/billing';
import type { SwitchPreview } from '@casewatch/contracts/switch-plan';
import { forThisFile } from '@casewatch/testing/for-this-file';
import type { Person } from '@casewatch/testing/test-service';
import { expect, test } from 'vitest';
import { DAY_MS, errorOf, person, startBilling, until, YEARLY } from './billing-fixture.ts';

const billing = await forThisFile(startBilling());

const preview = async (as: Person) =>
  (await (await billing.call('GET', '/api/billing/switch', as)).json()) as SwitchPreview;
const change = (as: Person, at: string) => billing.call('POST', '/api/billing/switch', as, { at });
const invoices = async (as: Person) =>
  (await (await billing.call('GET', '/api/billing/invoices', as)).json()) as Invoice[];

test('a month that is half used counts half: what is charged is what the preview showed, once', async () => {
  const as = await billing.subscriber();
  const before = await billing.subscription(as);
  expect(before.canSwitchToYearly).toBe(true);
  const halfMs = (Date.parse(before.renewsAt ?? '') - billing.clock.nowMs()) / 2;
  await billing.advance(halfMs);
  const { at, dueNow, price } = await preview(as);
  expect([price.id, dueNow]).toEqual([YEARLY, 85.5]);
  // What the rest of the month is worth has changed by more than a cent since the preview.
  await billing.advance(3_600_000 - 60_000);
  const answers = await Promise.all([change(as, at), change(as, at)]);
  for (const answer of answers) {
    const after = (await answer.json()) as Subscription;
    expect(after).toMatchObject({ tier: 'pro', price: { id: YEARLY }, canSwitchToYearly: false });
    expect(Date.parse(after.renewsAt ?? '')).toBeGreaterThan(billing.clock.nowMs() + 364 * DAY_MS);
  }
  const list = await invoices(as);
  expect(list.map(({ amount, status }) => [amount, status])).toEqual([
    [85.5, 'paid'],
    [9, 'paid'],
  ]);
  const page = await fetch(list[0]?.url ?? '');
  expect(await page.text()).toContain('$85.50');
});

test('a declined card changes nothing and says what to do', async () => {
  const as = await billing.subscriber('pm_card_renewalDeclined');
  const { at } = await preview(as);
  const refused = await errorOf(await change(as, at));
  expect(refused).toMatchObject({ status: 402, code: 'CARD_DECLINED' });
  expect(refused.error).toContain('Update your payment method');
  expect(await billing.subscription(as)).toMatchObject({ tier: 'pro', price: { interval: 'month' } });
  expect(await invoices(as)).toHaveLength(1);
});

test('an answer that was lost is found when it is asked again', async () => {
  const as = await billing.subscriber();
  const { at } = await preview(as);
  await billing.control('PUT', '/faults', {
    mode: 'lost-answer',
    count: 4,
    path: '/v1/subscriptions/',
    method: 'POST',
  });
  const first = await change(as, at);
  expect([200, 503]).toContain(first.status);
  await billing.control('PUT', '/faults', { mode: 'none' });
  const again = await until(
    async () => {
      await billing.clock.advance(6_000);
      return change(as, at);
    },
    ({ status }) => status !== 503,
  );
  expect(again.status).toBe(200);
  expect(await invoices(as)).toHaveLength(2);
});

test('who is free, pays by the year or has canceled has nothing to switch', async () => {
  const canceled = await billing.subscriber();
  await billing.call('POST', '/api/billing/cancel', canceled);
  for (const as of [person(), await billing.subscriber('pm_card_visa', YEARLY), canceled]) {
    const refused = await billing.call('GET', '/api/billing/switch', as);
    expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'NO_SUBSCRIPTION' });
    expect((await billing.subscription(as)).canSwitchToYearly).toBe(false);
  }
});

test('in a trial the switch costs nothing until the trial ends', async () => {
  const trials = await startBilling({ env: { TRIAL_DAYS: '14' } });
  try {
    const as = person();
    await trials.pay((await trials.begin(as)).clientSecret);
    await trials.sync(as);
    const { trialEndsAt } = await trials.subscription(as);
    const offer = (await (await trials.call('GET', '/api/billing/switch', as)).json()) as SwitchPreview;
    expect(offer).toMatchObject({ dueNow: 0, nextPaymentAt: trialEndsAt });
    const answer = await trials.call('POST', '/api/billing/switch', as, { at: offer.at });
    expect(await answer.json()).toMatchObject({ status: 'trialing', price: { id: YEARLY }, trialEndsAt });
    const list = await trials.call('GET', '/api/billing/invoices', as);
    expect(await list.json()).toEqual([]);
  } finally {
    await trials.stop();
  }
});

test('switched on February 29, the next payment is on February 28, as the preview showed', async () => {
  const leap = await startBilling();
  try {
    await leap.clock.jump(Date.parse('2028-02-29T12:00:00Z') - leap.clock.nowMs());
    const as = await leap.subscriber();
    const offer = (await (await leap.call('GET', '/api/billing/switch', as)).json()) as SwitchPreview;
    const answer = await leap.call('POST', '/api/billing/switch', as, { at: offer.at });
    expect(await answer.json()).toMatchObject({ price: { id: YEARLY }, renewsAt: offer.nextPaymentAt });
    expect(offer.nextPaymentAt).toBe('2029-02-28T12:00:00.000Z');
  } finally {
    await leap.stop();
  }
});

test('users see their own invoices, newest first, and none before the first payment', async () => {
  expect(await invoices(person())).toEqual([]);
  const as = await billing.subscriber();
  await billing.advance(32 * DAY_MS);
  const list = await until(
    () => invoices(as),
    ({ length }) => length === 2,
  );
  expect(list.map(({ amount, status }) => [amount, status])).toEqual([
    [9, 'paid'],
    [9, 'paid'],
  ]);
  expect(Date.parse(list[0]?.createdAt ?? '')).toBeGreaterThan(Date.parse(list[1]?.createdAt ?? ''));
});
