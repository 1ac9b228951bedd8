import { forThisFile } from '@casewatch/testing/for-this-file';
import { startTestService } from '@casewatch/testing/test-service';
import { expect, test } from 'vitest';
import { service } from '../src/service.ts';
import { KEYS, MONTHLY, startBilling, YEARLY } from './billing-fixture.ts';

const PRODUCT = 'prod_CasewatchPro';
const billing = await forThisFile(startBilling({ env: { STRIPE_PRODUCT: PRODUCT } }));

test('of a product only monthly and yearly prices in dollars are offered, the cheaper first', async () => {
  const add = (currency: string, cents: string, interval: string) =>
    billing.stripe<{ id: string }>('POST', '/v1/prices', {
      product: PRODUCT,
      currency,
      unit_amount: cents,
      'recurring[interval]': interval,
    });
  await add('eur', '800', 'month');
  await add('usd', '300', 'week');
  const { id } = await add('usd', '500', 'month');
  expect((await billing.prices()).map((price) => price.id)).toEqual([id, MONTHLY, YEARLY]);
});

test('prices are offered in the order of their lookup keys, with or without spaces', async () => {
  const other = await startTestService(service, {
    env: {
      STRIPE_SECRET_KEY: KEYS.secretKey,
      STRIPE_PUBLISHABLE_KEY: KEYS.publishableKey,
      STRIPE_API_BASE: billing.simulator.url,
      STRIPE_PRICES: 'pro_yearly , pro_monthly',
    },
  });
  const prices = (await (await other.call('GET', '/api/pricing')).json()) as { id: string }[];
  expect(prices.map(({ id }) => id)).toEqual([YEARLY, MONTHLY]);
  await other.stop();
});
