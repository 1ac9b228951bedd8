import type { createSubscription, getBillingConfig, listPrices } from '@casewatch/contracts/billing';
import type { AnswerOf } from '@casewatch/contracts/route-contract';
import { type APIRequestContext, expect } from '@playwright/test';
import { post } from './post.ts';
import type { Product } from './start-product.ts';

/** What the simulator calls the cards that a browser test does not have to type. */
export const PAYMENT_METHODS = { good: 'pm_card_visa' } as const;

/** Makes the caller pro by a monthly subscription, as the payment screen does it. */
export async function subscribe(
  caller: APIRequestContext,
  { paymentsUrl }: Product,
  paymentMethod: string = PAYMENT_METHODS.good,
): Promise<void> {
  const prices: AnswerOf<typeof listPrices> = await (await caller.get('/api/pricing')).json();
  const config: AnswerOf<typeof getBillingConfig> = await (await caller.get('/api/billing/config')).json();
  const { clientSecret = '' } = await post<AnswerOf<typeof createSubscription>>(
    caller,
    '/api/create-subscription',
    { priceId: prices[0]?.id },
  );
  const paymentIntentId = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
  const paid = await fetch(`${paymentsUrl}/v1/payment_intents/${paymentIntentId}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${config.publishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: paymentMethod }),
  });
  expect(paid.status, await paid.text()).toBe(200);
  await post(caller, '/api/confirm-payment', { paymentIntentId });
  await expect.poll(async () => (await (await caller.get('/api/auth/me')).json()).tier).toBe('pro');
  // The gateway forgets the session of before when the event of the change arrives, which may be a moment later.
  await expect.poll(async () => (await caller.get('/api/saved-cases.csv')).status()).toBe(200);
}
