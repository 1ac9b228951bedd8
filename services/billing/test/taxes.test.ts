import type { Invoice } from '@casewatch/contracts/billing';
import type { SwitchPreview } from '@casewatch/contracts/switch-plan';
import { forThisFile } from '@casewatch/testing/for-this-file';
import type { Person } from '@casewatch/testing/test-service';
import { describe, expect, test } from 'vitest';
import {
  errorOf,
  intentOf,
  MONTHLY,
  ownCard,
  person,
  startBilling,
  until,
  YEARLY,
} from './billing-fixture.ts';
import { TAX_SWITCHES, waysOf } from './ways-of-stripe.ts';

const NEW_YORK = { country: 'US', postalCode: '10001' };
const MUNICH = { country: 'DE', postalCode: '80331' };

interface Begun {
  clientSecret?: string;
  tier: string;
  status: string;
  due?: { amount: number; tax: number };
}

describe('where Stripe computes the taxes', async () => {
  const billing = await forThisFile(startBilling({ env: { STRIPE_AUTOMATIC_TAX: 'exclusive' } }));
  const post = (as: Person, body: unknown) => billing.call('POST', '/api/create-subscription', as, body);
  const begin = async (as: Person, address?: typeof NEW_YORK, priceId = MONTHLY) =>
    (await (await post(as, { priceId, ...(address ? { address } : {}) })).json()) as Begun;
  const pay = async (as: Person, { clientSecret }: Begun) => {
    expect((await billing.pay(clientSecret)).status).toBe(200);
    await billing.confirmPayment(as, intentOf(clientSecret));
  };
  const paid = async (as: Person) => {
    const invoices = (await (await billing.call('GET', '/api/billing/invoices', as)).json()) as Invoice[];
    return invoices.filter(({ status }) => status === 'paid').map(({ amount }) => amount);
  };

  test('the browser is told that prices are without it', async () => {
    expect(await (await billing.call('GET', '/api/billing/config')).json()).toMatchObject({
      tax: 'exclusive',
    });
  });

  test('nothing begins before the place is known, and a place that is none is refused', async () => {
    const as = person();
    const unplaced = await post(as, { priceId: MONTHLY });
    expect(await errorOf(unplaced)).toMatchObject({ status: 409, code: 'ADDRESS_NEEDED' });
    const nowhere = await post(as, { priceId: MONTHLY, address: { country: 'US', postalCode: '1' } });
    expect(await errorOf(nowhere)).toEqual({
      status: 409,
      code: 'ADDRESS_NEEDED',
      error: 'We could not find this place. Check the country and the ZIP or postal code.',
    });
    expect(await begin(as, NEW_YORK)).toMatchObject({
      status: 'incomplete',
      due: { amount: 9.72, tax: 0.72 },
    });
  });

  test('who comes back after a failure gives the place again at the most', async () => {
    const as = person();
    await billing.control('PUT', '/faults', {
      mode: 'server-error',
      path: '/v1/subscriptions',
      method: 'POST',
    });
    expect((await post(as, { priceId: MONTHLY, address: NEW_YORK })).status).toBe(503);
    await billing.control('PUT', '/faults', { mode: 'none' });
    const again = await post(as, { priceId: MONTHLY });
    if (!again.ok) expect(await errorOf(again)).toMatchObject({ status: 409, code: 'ADDRESS_NEEDED' });
    const begun = again.ok ? ((await again.json()) as Begun) : await begin(as, NEW_YORK);
    expect(begun.due).toEqual({ amount: 9.72, tax: 0.72 });
    await pay(as, begun);
    expect(await paid(as)).toEqual([9.72]);
  });

  test('what is shown as due is what is charged, and the place is asked for once', async () => {
    const as = person();
    await begin(as, NEW_YORK);
    expect(await begin(as)).toMatchObject({ due: { amount: 9.72, tax: 0.72 } });
    const yearly = await begin(as, undefined, YEARLY);
    expect(yearly.due).toEqual({ amount: 97.2, tax: 7.2 });
    await pay(as, yearly);
    expect(await paid(as)).toEqual([97.2]);
    expect(await billing.subscription(as)).toMatchObject({ taxed: true, price: { amount: 90 } });
  });

  test('another place before paying has another amount, and the secret of the first pays nothing', async () => {
    const as = person();
    const first = await begin(as, NEW_YORK);
    const second = await begin(as, MUNICH);
    expect(second.due).toEqual({ amount: 9, tax: 0 });
    expect((await billing.pay(first.clientSecret)).status).toBe(400);
    await pay(as, second);
    expect(await billing.subscription(as)).toMatchObject({ tier: 'pro' });
    expect(await paid(as)).toEqual([9]);
  });

  test('a switch is charged with it, as its preview says', async () => {
    const as = person();
    await pay(as, await begin(as, NEW_YORK));
    const answer = await billing.call('GET', '/api/billing/switch', as);
    const preview = (await answer.json()) as SwitchPreview;
    expect(preview).toMatchObject({ taxed: true, dueNow: 87.48 });
    await billing.call('POST', '/api/billing/switch', as, { at: preview.at });
    await until(
      () => paid(as),
      ([newest]) => newest === 87.48,
    );
  });
});

test.each(waysOf(TAX_SWITCHES))(
  'a trial says what its first payment takes with the tax, with a Stripe that behaves %s',
  async (_way, behavior) => {
    const env = { STRIPE_AUTOMATIC_TAX: 'inclusive', TRIAL_DAYS: '14' };
    const billing = await startBilling({ env, behavior });
    const as = person();
    const address = NEW_YORK;
    const answer = await billing.call('POST', '/api/create-subscription', as, { priceId: MONTHLY, address });
    const begun = (await answer.json()) as Begun & { intent: string };
    expect(begun).toMatchObject({ intent: 'setup', due: { amount: 9.72, tax: 0.72 } });
    const moved = await billing.call('POST', '/api/create-subscription', as, {
      priceId: MONTHLY,
      address: MUNICH,
    });
    const abroad = (await moved.json()) as Begun;
    expect(abroad.due).toEqual({ amount: 9, tax: 0 });
    expect((await billing.pay(begun.clientSecret, ownCard())).status).toBe(400);
    await billing.pay(abroad.clientSecret, ownCard());
    expect(await billing.confirmPayment(as, intentOf(abroad.clientSecret))).toMatchObject({ tier: 'pro' });
    await billing.stop();
  },
);
