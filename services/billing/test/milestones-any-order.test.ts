import { planMilestoneReached } from '@casewatch/contracts/events';
import { forThisFile } from '@casewatch/testing/for-this-file';
import type { Person } from '@casewatch/testing/test-service';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KEYS, startBilling, until } from './billing-fixture.ts';
import { signed } from './webhook-proxy.ts';

const SAMPLES = Number(process.env.ORDER_SAMPLES ?? 5);

const billing = await forThisFile(startBilling());

const milestonesOf = async ({ userId }: Person) =>
  (await billing.published())
    .filter(({ name }) => name === planMilestoneReached.name)
    .map(({ payload }) => planMilestoneReached.decode(payload))
    .filter((payload) => payload.userId === userId)
    .map(({ milestone, reason }) => `${milestone}: ${reason}`);
const lastCharge = async ({ userId }: Person) => {
  const customer = (await billing.row(userId))?.stripe_customer_id;
  const { data } = await billing.stripe<{ data: { id: string }[] }>(
    'GET',
    `/v1/charges?customer=${customer}`,
  );
  return data[0]?.id ?? '';
};

/** What the user does or suffers, and what they are notified of. */
const stories: [string, string, string[], (as: Person) => Promise<unknown>][] = [
  [
    'canceled by the user',
    'pm_card_visa',
    ['pro-ended: canceled'],
    async (as) => {
      await billing.call('POST', '/api/billing/cancel', as);
      await billing.control('POST', '/clock', { advanceDays: 32 });
    },
  ],
  [
    'paid back',
    'pm_card_visa',
    ['pro-ended: refunded'],
    async (as) => billing.stripe('POST', '/v1/refunds', { charge: await lastCharge(as) }),
  ],
  [
    'disputed and lost',
    'pm_card_visa',
    ['pro-ended: refunded'],
    async (as) => {
      const charge = await lastCharge(as);
      const dispute = (await billing.control('POST', `/charges/${charge}/dispute`, {})) as { id: string };
      await billing.control('POST', `/disputes/${dispute.id}/close`, { outcome: 'lost' });
    },
  ],
  [
    'a payment that fails for good',
    'pm_card_renewalDeclined',
    ['pro-ended: payment-failed'],
    () => billing.control('POST', '/clock', { advanceDays: 60 }),
  ],
];

test.each(stories)(
  '%s: one notice, whatever the order and number of events',
  async (_, card, expected, happen) => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (random) => {
        const as = await billing.subscriber(card);
        billing.proxy.sendTo(undefined);
        const from = billing.proxy.events.length;
        await happen(as);
        await until(
          async () => (await billing.control('GET', '/webhooks')) as { waiting: number },
          ({ waiting }) => waiting === 0,
        );
        const events = billing.proxy.events.slice(from);
        const order = [...events, ...events]
          .map((event) => ({ event, at: random.next().value }))
          .sort((one, other) => one.at - other.at);
        await Promise.all(
          order.map(async ({ event: { body } }) =>
            (
              await fetch(`${billing.url}/api/webhooks/stripe`, {
                method: 'POST',
                headers: {
                  'content-type': 'application/json',
                  'stripe-signature': signed(body, KEYS.webhookSecret, billing.clock.nowMs()),
                },
                body,
              })
            ).arrayBuffer(),
          ),
        );
        await billing.settled();
        expect(await milestonesOf(as)).toEqual(expected);
        billing.proxy.sendTo(`${billing.url}/api/webhooks/stripe`);
      }),
      { numRuns: SAMPLES },
    );
  },
);
