import type { Invoice, Subscription } from '@casewatch/contracts/billing';
import type { SwitchPreview } from '@casewatch/contracts/switch-plan';
import type { Person } from '@casewatch/testing/test-service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type BillingFixture,
  DAY_MS,
  errorOf,
  intentOf,
  person,
  startBilling,
  until,
  YEARLY,
} from './billing-fixture.ts';
import { waysOf } from './ways-of-stripe.ts';

type Switched = Subscription & { clientSecret?: string; paymentMethodId?: string };

/** A change to yearly payment with a card whose bank wants authentication: whatever happens half way, money and plan agree. */
describe.each(waysOf(['switchAuthentication', 'paidSwitch', 'switchOfEnded']))(
  'with a Stripe that behaves %s',
  (_way, behavior) => {
    let billing: BillingFixture;
    beforeAll(async () => {
      billing = await startBilling({ behavior });
    });
    afterAll(() => billing.stop());

    const invoices = async (as: Person) =>
      (await (await billing.call('GET', '/api/billing/invoices', as)).json()) as Invoice[];
    const amounts = async (as: Person) => (await invoices(as)).map(({ amount }) => amount);
    const preview = async (as: Person) =>
      (await (await billing.call('GET', '/api/billing/switch', as)).json()) as SwitchPreview;
    const change = async (as: Person) => {
      const answer = await billing.call('POST', '/api/billing/switch', as, { at: (await preview(as)).at });
      return { answer, ...((await answer.clone().json()) as Switched) };
    };
    /** As the browser: confirms with the saved card, and the payer ends the bank's dialog. */
    const authenticate = async (
      {
        clientSecret,
        paymentMethodId,
      }: { clientSecret?: string | undefined; paymentMethodId?: string | undefined },
      outcome: 'succeeded' | 'failed' | 'left' = 'succeeded',
    ) => {
      const answer = await billing.pay(clientSecret, paymentMethodId);
      if (answer.ok && outcome !== 'left')
        await billing.control('POST', `/intents/${intentOf(clientSecret)}/authenticate`, { outcome });
      return answer.status;
    };
    const guarded = async () => {
      const as = person();
      const { clientSecret } = await billing.begin(as);
      await authenticate({ clientSecret, paymentMethodId: 'pm_card_authenticationRequired' });
      await billing.confirmPayment(as, intentOf(clientSecret));
      return as;
    };
    const latestPayment = async ({ userId }: Person) => {
      const customer = (await billing.row(userId))?.stripe_customer_id ?? '';
      const query = `status=all&customer=${customer}&expand[0]=data.latest_invoice.confirmation_secret`;
      const { data } = await billing.stripe<{
        data: { latest_invoice: { confirmation_secret: { client_secret: string } } }[];
      }>('GET', `/v1/subscriptions?${query}`);
      return intentOf(data[0]?.latest_invoice.confirmation_secret.client_secret);
    };
    const changeCard = async (as: Person) => {
      const { url } = (await (await billing.call('POST', '/api/billing/portal', as)).json()) as {
        url: string;
      };
      const form = { action: 'card', number: '4242424242424242', expiry: '12/40', cvc: '123' };
      await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
      await eventually(
        () => billing.subscription(as),
        ({ card }) => card?.last4 === '4242',
      );
    };
    const monthly = { tier: 'pro', status: 'active', price: { interval: 'month' }, canSwitchToYearly: true };
    const yearly = { tier: 'pro', status: 'active', price: { id: YEARLY }, canSwitchToYearly: false };
    /** As the jobs run. */
    const eventually = <T>(ask: () => Promise<T>, wanted: (answer: T) => boolean) =>
      until(async () => {
        await billing.advance(1_000);
        return ask();
      }, wanted);
    const becomesYearly = (as: Person) =>
      eventually(
        () => billing.subscription(as),
        ({ price }) => price?.id === YEARLY,
      );

    test('nothing is changed or charged until the payer has authenticated, then both at once', async () => {
      const as = await guarded();
      const begun = await change(as);
      expect(begun).toMatchObject({ ...monthly, clientSecret: expect.any(String) });
      expect(await amounts(as)).toEqual([9]);
      await authenticate(begun);
      expect(await billing.confirmPayment(as, intentOf(begun.clientSecret))).toMatchObject({
        paymentStatus: 'succeeded',
      });
      expect(await becomesYearly(as)).toMatchObject(yearly);
      expect(await amounts(as)).toEqual([81, 9]);
    });

    test('the browser may be closed: the event of the payment is enough', async () => {
      const as = await guarded();
      await authenticate(await change(as));
      expect(await becomesYearly(as)).toMatchObject(yearly);
    });

    test('without any event it is found by looking', async () => {
      const as = await guarded();
      const begun = await change(as);
      billing.proxy.sendTo(undefined);
      await authenticate(begun);
      await until(
        async () => {
          await billing.advance(60_000);
          return billing.subscription(as);
        },
        ({ price }) => price?.id === YEARLY,
      );
      billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
    });

    test('an authentication that fails or is left leaves the monthly plan, and a second try works', async () => {
      for (const outcome of ['failed', 'left'] as const) {
        const as = await guarded();
        await authenticate(await change(as), outcome);
        await billing.settled();
        expect(await billing.subscription(as)).toMatchObject(monthly);
        await authenticate(await change(as));
        expect(await becomesYearly(as)).toMatchObject(yearly);
        expect(await amounts(as)).toEqual([81, 9]);
      }
    });

    test('what is left for a day is gone: it can no longer be paid, and the next month is paid as ever', async () => {
      const as = await guarded();
      const begun = await change(as);
      await billing.advance(DAY_MS);
      expect(await authenticate(begun)).toBe(400);
      await changeCard(as);
      await billing.advance(31 * DAY_MS);
      await until(
        () => amounts(as),
        ({ length }) => length === 2,
      );
      expect(await amounts(as)).toEqual([9, 9]);
      expect(await billing.subscription(as)).toMatchObject(monthly);
    });

    test('of two tabs the last one counts: the first can no longer be paid', async () => {
      const as = await guarded();
      const first = await change(as);
      const second = await change(as);
      expect(await authenticate(first)).toBe(400);
      await authenticate(second);
      expect(await becomesYearly(as)).toMatchObject(yearly);
      expect(await amounts(as)).toEqual([81, 9]);
    });

    test('pressing again after the payment charges nothing more, also before the change is seen', async () => {
      const as = await guarded();
      const { at } = await preview(as);
      const begun = await change(as);
      await authenticate(begun);
      const again = await billing.call('POST', '/api/billing/switch', as, { at });
      expect(again.status).toBe(200);
      expect(await again.json()).not.toHaveProperty('clientSecret');
      expect(await becomesYearly(as)).toMatchObject(yearly);
      expect(await amounts(as)).toEqual([81, 9]);
    });

    test('a lost answer leaves one change that can be paid', async () => {
      const as = await guarded();
      const { at } = await preview(as);
      const fault = { mode: 'lost-answer', count: 2, path: '/v1/subscriptions/', method: 'POST' };
      await billing.control('PUT', '/faults', fault);
      await billing.call('POST', '/api/billing/switch', as, { at });
      await billing.control('PUT', '/faults', { mode: 'none' });
      const begun = await until(
        async () => {
          await billing.clock.advance(6_000);
          return change(as);
        },
        ({ answer }) => answer.status !== 503,
      );
      await authenticate(begun);
      expect(await becomesYearly(as)).toMatchObject(yearly);
      expect(await amounts(as)).toEqual([81, 9]);
    });

    test('a card that is declined changes nothing, and leaves nothing to be paid', async () => {
      const as = await billing.subscriber('pm_card_renewalDeclined');
      const { answer } = await change(as);
      expect(await errorOf(answer)).toMatchObject({ status: 402, code: 'CARD_DECLINED' });
      expect(await amounts(as)).toEqual([9]);
      await changeCard(as);
      expect(await change(as)).toMatchObject(yearly);
      expect(await amounts(as)).toEqual([81, 9]);
    });

    test('a payment in progress is not made twice, and ends the switch when it is decided', async () => {
      for (const outcome of ['succeeded', 'failed'] as const) {
        const as = person();
        const { clientSecret } = await billing.begin(as);
        await billing.pay(clientSecret, 'pm_card_processing');
        await billing.control('POST', `/payments/${intentOf(clientSecret)}/settle`, {});
        await billing.confirmPayment(as, intentOf(clientSecret));
        expect(await change(as)).not.toHaveProperty('clientSecret');
        const payment = await latestPayment(as);
        expect(await change(as)).toMatchObject(monthly);
        expect(await latestPayment(as)).toBe(payment);
        await billing.control('POST', `/payments/${payment}/settle`, { outcome });
        if (outcome === 'succeeded') expect(await becomesYearly(as)).toMatchObject(yearly);
        else await billing.settled();
        expect(await amounts(as)).toEqual(outcome === 'succeeded' ? [81, 9] : [9]);
      }
    });

    test('at the end of the month the switch is over, and the month is asked for as ever', async () => {
      const as = await guarded();
      const { renewsAt } = await billing.subscription(as);
      await billing.advance(Date.parse(renewsAt ?? '') - billing.clock.nowMs() - 3_600_000);
      const begun = await change(as);
      await billing.advance(2 * 3_600_000);
      expect(await authenticate(begun)).toBe(400);
      expect(await amounts(as)).toEqual([9, 9]);
    });

    const endings: Record<string, (as: Person) => Promise<unknown>> = {
      canceled: (as) => billing.call('POST', '/api/billing/cancel', as),
      'ended at Stripe': async (as) => {
        const id = (await billing.row(as.userId))?.stripe_subscription_id;
        await billing.stripe('DELETE', `/v1/subscriptions/${id}`);
        await eventually(
          () => billing.subscription(as),
          ({ status }) => status === 'canceled',
        );
      },
      deleted: async ({ userId }) => {
        await billing.deleted(userId);
        await eventually(
          () => billing.row(userId),
          (row) => row?.stripe_customer_id === null,
        );
      },
    };
    test.each(Object.entries(endings))('%s in between, the change can no longer be paid', async (_, end) => {
      const as = await guarded();
      const begun = await change(as);
      await end(as);
      expect(await authenticate(begun)).toBe(400);
    });
  },
);
