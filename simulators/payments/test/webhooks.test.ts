import { describe, expect, it } from 'vitest';
import { type PaymentsUnderTest, startPayments } from './start-payments.ts';
import { subscribe } from './subscribe.ts';

async function makeCustomers(payments: PaymentsUnderTest, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await payments.stripe.customers.create({})).id);
  return ids;
}

const about = (payments: PaymentsUnderTest) =>
  payments.inbox.events.map(({ data }) => Reflect.get(data.object, 'id'));

describe('webhooks', () => {
  it('are signed as the SDK verifies, and name their cause', async () => {
    await using payments = await startPayments();
    const made = await payments.stripe.customers.create({}, { idempotencyKey: 'k' });
    await payments.inbox.until(1);
    expect(payments.inbox.events).toMatchObject([
      {
        object: 'event',
        type: 'customer.created',
        livemode: false,
        data: { object: { id: made.id } },
        request: { id: made.lastResponse.requestId, idempotency_key: 'k' },
      },
    ]);
  });

  it('are retried until they are acknowledged', async () => {
    await using payments = await startPayments();
    payments.inbox.answers.push(500, 404);
    await makeCustomers(payments, 1);
    await payments.inbox.until(3);
    expect(new Set(payments.inbox.events.map(({ id }) => id)).size).toBe(1);
    const figures = await (await payments.control('GET', '/webhooks')).json();
    expect(figures).toMatchObject({ delivered: 1, failed: 2, waiting: 0 });
  });

  it('name what a change replaced', async () => {
    await using payments = await startPayments();
    const { subscription } = await subscribe(payments);
    await payments.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await payments.eventTypes();
    expect(payments.inbox.events.at(-1)).toMatchObject({
      type: 'customer.subscription.updated',
      data: {
        object: { cancel_at_period_end: true },
        previous_attributes: { cancel_at_period_end: false, cancel_at: null },
      },
    });
  });

  it('come twice on demand', async () => {
    await using payments = await startPayments();
    await payments.control('PUT', '/webhooks', { duplicate: true });
    await makeCustomers(payments, 2);
    await payments.inbox.until(4);
    expect(new Set(payments.inbox.events.map(({ id }) => id)).size).toBe(2);
  });

  it('come in another order on demand, all of them', async () => {
    await using payments = await startPayments();
    await payments.control('PUT', '/webhooks', { shuffle: true, paused: true });
    const made = await makeCustomers(payments, 30);
    await payments.control('PUT', '/webhooks', { paused: false });
    await payments.inbox.until(30);
    expect(about(payments).sort()).toEqual([...made].sort());
    // One order in 30! is the one in which they arose.
    expect(about(payments)).not.toEqual(made);
  });

  it('are lost on demand, as many as given', async () => {
    await using payments = await startPayments();
    await payments.control('PUT', '/webhooks', { drop: 2 });
    const made = await makeCustomers(payments, 3);
    await payments.inbox.until(1);
    expect(about(payments)).toEqual(made.slice(2));
  });

  it('wait while paused', async () => {
    await using payments = await startPayments();
    const figures = async () => (await payments.control('GET', '/webhooks')).json();
    await payments.control('PUT', '/webhooks', { paused: true });
    await makeCustomers(payments, 2);
    expect(await figures()).toMatchObject({ waiting: 2, delivered: 0 });
    await payments.control('PUT', '/webhooks', { paused: false });
    await payments.eventTypes();
    expect(await figures()).toMatchObject({ waiting: 0, delivered: 2 });
  });
});
