import { test as base, newPerson, type Person } from './fixtures.ts';
import { type StartedProduct, startProduct } from './start-product.ts';

interface ShopFixtures {
  /** A new free user, signed in at the shop in this browser. */
  payer: Person;
}

interface ShopWorker {
  /** A product of this worker's own, whose payments simulator the tests may move about. */
  shop: StartedProduct;
}

/** For tests of payments: a subscription begins with a payment, not with a trial. */
export const test = base.extend<ShopFixtures, ShopWorker>({
  shop: [
    async ({ browserName: _ }, use) => {
      const shop = await startProduct({ TRIAL_DAYS: '0' });
      // The first question for the prices takes longest: not on the time of a test.
      await fetch(`${shop.url}/api/pricing`);
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  payer: async ({ context, shop }, use) => {
    const person = newPerson();
    const answer = await context.request.post(`${shop.url}/api/auth/signup`, {
      data: person,
      headers: { origin: shop.url },
    });
    if (!answer.ok()) throw new Error(`signing up answered ${answer.status()}: ${await answer.text()}`);
    await use(person);
  },
});
