import { startRollUnderLoad, stopWithTest } from '@casewatch/testing/roll-under-load';
import { type CallOptions, startTestService } from '@casewatch/testing/test-service';
import { expect, test } from 'vitest';
import { service } from '../src/service.ts';
import {
  errorOf,
  intentOf,
  KEYS,
  MONTHLY,
  person,
  type SubscribeAnswer,
  settingsFor,
  startBilling,
  startDirectory,
} from './billing-fixture.ts';

/** "Rotate secrets" of docs/operations.md, where billing has the secret: of two processes one has it replaced already. */

/** For some forty subscriptions, from the first request to the portal. */
const PATIENT = { timeout: 90_000 };
const OLDER_KEY = 'sk_test_older0123456789';

interface Process {
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  stop(): Promise<void>;
}

/** A process with the older secret key, and one with the newer, at a Stripe that accepts both. */
async function startTwice() {
  const billing = stopWithTest(await startBilling());
  const { database, clock, simulator, stop } = billing;
  simulator.acceptSecretKeys(OLDER_KEY, KEYS.secretKey);
  const [first] = billing.running;
  if (!first) throw new Error('a service must run');
  const newer: Process = { call: first.call, stop };
  const older: Process = stopWithTest(
    await startTestService(service, {
      clock,
      database,
      services: startDirectory().client,
      env: { ...settingsFor(simulator), STRIPE_SECRET_KEY: OLDER_KEY },
    }),
  );
  return { billing, older, newer };
}

test(
  'the secret key at Stripe is replaced while Stripe accepts both: people subscribe, cancel and resume without a failed request',
  PATIENT,
  async () => {
    const { billing, older, newer } = await startTwice();
    async function asked<T>(process: Process, path: string, { as, body }: CallOptions): Promise<T> {
      const answer = await process.call('POST', path, { ...(as ? { as } : {}), ...(body ? { body } : {}) });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as T;
    }
    const roll = startRollUnderLoad(older, async (process) => {
      const as = person();
      const { clientSecret } = await asked<SubscribeAnswer>(process, '/api/create-subscription', {
        as,
        body: { priceId: MONTHLY },
      });
      await billing.pay(clientSecret);
      const body = { paymentIntentId: intentOf(clientSecret) };
      const { tier } = await asked<SubscribeAnswer>(process, '/api/confirm-payment', { as, body });
      if (tier !== 'pro') throw new Error('the payment was not found');
      for (const action of ['cancel', 'resume', 'portal'])
        await asked(process, `/api/billing/${action}`, { as });
      return process.call('GET', '/api/billing/subscription', { as });
    });
    await roll.add(newer);
    await roll.remove(older);
    billing.simulator.acceptSecretKeys(KEYS.secretKey);
    await roll.goOn();
    expect(await roll.end()).toEqual([]);
  },
);

test('a secret key that expired before its process was replaced fails requests that need Stripe, and those alone', async () => {
  const { billing, older, newer } = await startTwice();
  const as = await billing.subscriber();
  billing.simulator.acceptSecretKeys(KEYS.secretKey);
  const refused = await older.call('POST', '/api/billing/portal', { as });
  expect(await errorOf(refused)).toMatchObject({ status: 503, code: 'PAYMENTS_UNAVAILABLE' });
  const shown = await older.call('GET', '/api/billing/subscription', { as });
  expect(await shown.json()).toMatchObject({ tier: 'pro', status: 'active' });
  expect((await newer.call('POST', '/api/billing/portal', { as })).status).toBe(200);
});
