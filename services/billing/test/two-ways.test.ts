import { planMilestoneReached } from '@casewatch/contracts/events';
import type { Person } from '@casewatch/testing/test-service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type BillingFixture,
  DAY_MS,
  intentOf,
  ownCard,
  person,
  startBilling,
  until,
} from './billing-fixture.ts';
import { waysOf } from './ways-of-stripe.ts';

/** What must hold whichever way Stripe takes where its documentation leaves it open. */
describe.each(waysOf())('with a Stripe that behaves %s', (_way, behavior) => {
  let billing: BillingFixture;
  beforeAll(async () => {
    billing = await startBilling({ env: { TRIAL_DAYS: '14' }, behavior });
  });
  afterAll(() => billing.stop());

  interface AtStripe {
    id: string;
    status: string;
    default_payment_method: string | null;
  }
  const atStripe = async ({ userId }: Person) => {
    const customer = (await billing.row(userId))?.stripe_customer_id ?? '';
    const query = `/v1/subscriptions?status=all&customer=${customer}`;
    const { data } = await billing.stripe<{ data: AtStripe[] }>('GET', query);
    const { invoice_settings } = await billing.stripe<{
      invoice_settings: { default_payment_method: string | null };
    }>('GET', `/v1/customers/${customer}`);
    return { customer, subscription: data[0], customersCard: invoice_settings.default_payment_method };
  };
  const last4Of = async (id: string | null | undefined) =>
    (await billing.stripe<{ card: { last4: string } }>('GET', `/v1/payment_methods/${id}`)).card.last4;
  const chargedCards = async (customer: string) => {
    const query = `/v1/charges?customer=${customer}`;
    const { data } = await billing.stripe<{ data: { payment_method: string }[] }>('GET', query);
    return Promise.all(data.map(({ payment_method }) => last4Of(payment_method)));
  };
  const trial = async () => {
    const as = person();
    const { clientSecret } = await billing.begin(as);
    await billing.pay(clientSecret, ownCard());
    expect(await billing.confirmPayment(as, intentOf(clientSecret))).toMatchObject({ tier: 'pro' });
    return as;
  };
  const payer = async () => {
    const as = await trial();
    await billing.advance(14 * DAY_MS + 60_000);
    await until(
      () => billing.subscription(as),
      ({ status }) => status === 'active',
    );
    return as;
  };
  const changeInPortal = async (as: Person, number: string) => {
    const opened = await billing.call('POST', '/api/billing/portal', as);
    const { url } = (await opened.json()) as { url: string };
    const form = { action: 'card', number, expiry: '12/30', cvc: '123' };
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    expect(answer.status).toBeLessThan(400);
  };
  const milestonesOf = async ({ userId }: Person) =>
    (await billing.published())
      .filter(({ name }) => name === planMilestoneReached.name)
      .map(({ payload }) => planMilestoneReached.decode(payload))
      .filter((milestone) => milestone.userId === userId)
      .map(({ milestone }) => milestone);

  test('a trial keeps the card that was confirmed, and its first payment is taken from it', async () => {
    const as = await trial();
    const { subscription, customersCard, customer } = await atStripe(as);
    expect(subscription?.default_payment_method).toMatch(/^pm_/);
    expect(customersCard).toBe(subscription?.default_payment_method);
    const { card } = await billing.subscription(as);
    expect(card?.last4).toBe(await last4Of(customersCard));
    await billing.advance(14 * DAY_MS + 60_000);
    await until(
      () => billing.subscription(as),
      ({ status }) => status === 'active',
    );
    expect(await chargedCards(customer)).toEqual([card?.last4]);
  });

  test('a trial whose confirmation was not reported has its card before it ends', async () => {
    const as = person();
    const { clientSecret } = await billing.begin(as);
    billing.proxy.sendTo(undefined);
    await billing.pay(clientSecret, ownCard());
    billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
    await billing.clock.advance(2 * DAY_MS);
    await until(
      () => billing.subscription(as),
      ({ tier }) => tier === 'pro',
    );
    const { subscription, customersCard } = await atStripe(as);
    expect([subscription?.default_payment_method, customersCard]).toEqual([
      expect.stringMatching(/^pm_/),
      expect.stringMatching(/^pm_/),
    ]);
  });

  test('the card that the portal was given last is shown and charged', async () => {
    const as = await payer();
    await changeInPortal(as, '5555555555554444');
    await until(
      () => billing.subscription(as),
      ({ card }) => card?.last4 === '4444',
    );
    const { subscription, customersCard, customer } = await atStripe(as);
    expect(customersCard).toBe(subscription?.default_payment_method);
    await billing.advance(32 * DAY_MS);
    const [newest] = await until(
      () => chargedCards(customer),
      ({ length }) => length === 2,
    );
    expect(newest).toBe('4444');
    expect((await billing.subscription(as)).card?.last4).toBe('4444');
  });

  test('going back to an older card in the portal is a choice, too', async () => {
    const as = await payer();
    const before = await atStripe(as);
    await changeInPortal(as, '5555555555554444');
    await until(
      () => billing.subscription(as),
      ({ card }) => card?.last4 === '4444',
    );
    await billing.settled();
    await billing.stripe('POST', `/v1/customers/${before.customer}`, {
      'invoice_settings[default_payment_method]': before.customersCard ?? '',
    });
    const old = await last4Of(before.customersCard);
    await until(
      () => billing.subscription(as),
      ({ card }) => card?.last4 === old,
    );
    expect((await atStripe(as)).subscription?.default_payment_method).toBe(before.customersCard);
  });

  test('the owner of a trial whose card was removed is notified that Pro ends, not that it is charged', async () => {
    const as = await trial();
    const { customersCard } = await atStripe(as);
    await billing.stripe('POST', `/v1/payment_methods/${customersCard}/detach`, {});
    const shown = await until(
      () => billing.subscription(as),
      ({ card }) => card === null,
    );
    expect(shown).toMatchObject({ tier: 'pro', renewsAt: null, endsAt: shown.trialEndsAt });
    await billing.advance(11 * DAY_MS + 120_000);
    const reached = await until(
      async () => {
        await billing.clock.advance(1_000);
        return milestonesOf(as);
      },
      ({ length }) => length > 0,
    );
    expect(reached).toEqual(['trial-without-card']);
  });

  test('a card that is confirmed after its trial has ended starts nothing, and the answer says so', async () => {
    const late = person();
    const { clientSecret } = await billing.begin(late);
    billing.proxy.sendTo(undefined);
    await billing.clock.jump(15 * DAY_MS);
    await billing.control('GET', '');
    const confirmed = await billing.pay(clientSecret, ownCard());
    billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
    const answer = await billing.confirmPayment(late, intentOf(clientSecret));
    const over = { tier: 'free', status: 'canceled' };
    // The other Stripe has canceled the setup by itself: then the browser has said so.
    expect(answer).toEqual(
      confirmed.ok
        ? { ...over, paymentStatus: 'succeeded', trialOver: true }
        : { ...over, paymentStatus: 'canceled' },
    );
    expect(await billing.begin(late)).toMatchObject({ clientSecret: expect.any(String) });
  });

  test('a trial that has ended leaves no setup that could still be confirmed', async () => {
    const as = person();
    const { clientSecret } = await billing.begin(as);
    await billing.advance(15 * DAY_MS);
    await until(
      () => billing.subscription(as),
      ({ status }) => status === 'canceled',
    );
    expect((await billing.pay(clientSecret, ownCard())).status).toBe(400);
  });
});
