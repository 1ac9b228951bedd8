import type { Tier } from '@casewatch/contracts/limits';
import { expect, test } from 'vitest';
import type { Standing } from '../../api/billing.ts';
import type { ToastMessage } from '../../components/toast/toast-queue.ts';
import { followPaymentReturn } from './follow-payment-return.ts';
import { PAYMENT_SUCCESSFUL, TRIAL_STARTED } from './payment-messages.ts';

function play(
  status: string | null,
  tiers: Tier[],
  {
    trialRefused = false,
    success = PAYMENT_SUCCESSFUL as ToastMessage,
    payment = 'succeeded',
    standing = 'active' as Standing['status'],
  } = {},
) {
  const events: (string | number)[] = [];
  const message = followPaymentReturn(status, {
    sync: async () => {
      events.push('sync');
      return { tier: tiers.length > 1 ? tiers.shift() : tiers[0], status: standing, trialRefused };
    },
    readPayment: async () => (payment === 'unreadable' ? undefined : payment),
    success,
    wait: async (ms) => void events.push(ms),
  });
  return { events, message };
}

test('a payment that has gone through is shown at once', async () => {
  const { events, message } = play('succeeded', ['pro']);
  expect(await message).toMatchObject({
    title: 'Payment Successful',
    description: 'Welcome to Pro! You now have access to all premium features.',
  });
  expect(events).toEqual(['sync']);
});

test('it is asked again every two seconds until Pro has begun', async () => {
  const { events, message } = play('succeeded', ['free', 'free', 'pro']);
  expect((await message).title).toBe('Payment Successful');
  expect(events).toEqual(['sync', 2000, 'sync', 2000, 'sync']);
});

test('after ten more tries the payment is shown as processing', async () => {
  const { events, message } = play('pending', ['free'], { payment: 'processing' });
  expect((await message).title).toBe('Payment Processing');
  expect(events.filter((event) => event === 'sync')).toHaveLength(11);
  expect(events.filter((event) => event === 2000)).toHaveLength(10);
});

test('a payment that the bank refused is not waited for', async () => {
  const { events, message } = play('failed', ['free'], { payment: 'requires_payment_method' });
  expect((await message).title).toBe('Payment Failed');
  expect(events).toEqual(['sync']);
});

test('a trial that is refused is shown as refused, with nothing charged, and not waited for', async () => {
  const { events, message } = play('succeeded', ['free'], { trialRefused: true, success: TRIAL_STARTED });
  expect(await message).toMatchObject({
    title: 'No free trial',
    description: expect.stringContaining('Nothing was charged.'),
  });
  expect(events).toEqual(['sync']);
});

test('a payment of an account that was refused a trial is waited for as any other', async () => {
  const { events, message } = play('succeeded', ['free', 'pro'], { trialRefused: true });
  expect((await message).title).toBe('Payment Successful');
  expect(events).toEqual(['sync', 2000, 'sync']);
});

test('a card that came back from the bank after its trial had ended is not waited for', async () => {
  const { events, message } = play('succeeded', ['free'], { payment: 'trial-over', success: TRIAL_STARTED });
  expect(await message).toMatchObject({
    title: 'The trial is over',
    description: expect.stringContaining('Nothing was charged. Subscribe to get Pro.'),
  });
  expect(events).toEqual(['sync']);
});

test.each([
  ['failed', 'active', 'unreadable', 'Payment Failed'],
  ['failed', 'past_due', 'requires_payment_method', 'Payment Failed'],
  ['succeeded', 'past_due', 'requires_payment_method', 'Payment Failed'],
  ['succeeded', 'past_due', 'unreadable', 'Payment Processing'],
  ['succeeded', 'past_due', 'processing', 'Payment Processing'],
  [null, 'past_due', 'canceled', 'Payment Status Unknown'],
  ['failed', 'active', 'succeeded', 'Payment Successful'],
  [null, 'active', 'succeeded', 'Payment Successful'],
  [null, 'active', 'unreadable', 'Payment Processing'],
  ['pending', 'active', 'unreadable', 'Payment Processing'],
  ['succeeded', 'active', 'not-found', 'Payment not found'],
] as const)(
  'someone with Pro comes back with %s, the subscription %s, the payment %s: %s',
  async (status, standing, payment, title) => {
    const { message } = play(status, ['pro'], { standing, payment });
    expect((await message).title).toBe(title);
  },
);
