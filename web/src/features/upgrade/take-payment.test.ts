import type { Tier } from '@casewatch/contracts/limits';
import type { SetupIntent } from '@stripe/stripe-js';
import { expect, test } from 'vitest';
import { PAYMENT_SUCCESSFUL } from '../billing/payment-messages.ts';
import { type BrowserConfirmation, type PaymentSteps, takePayment } from './take-payment.ts';

type Event = string | number;

/** Steps that answer from lists, the last entry again and again, and write down what happens in order. */
function play(given: {
  browser: () => Promise<BrowserConfirmation>;
  server?: readonly (string | Error)[];
  trialRefused?: boolean;
  trialOver?: boolean;
  tiers?: readonly Tier[];
  /** Leaves the screen after the given number of waits for a decision. */
  leaveAfter?: number;
}) {
  const events: Event[] = [];
  const server = [...(given.server ?? ['succeeded'])];
  const tiers = [...(given.tiers ?? ['pro'])];
  const next = <T>(list: T[]): T | undefined => (list.length > 1 ? list.shift() : list[0]);
  let waits = 0;
  const steps: PaymentSteps = {
    confirmInBrowser: given.browser,
    confirmOnServer: async (id) => {
      events.push(`confirm ${id}`);
      const answer = next(server);
      if (answer === undefined || answer instanceof Error) throw answer;
      const { trialRefused = false, trialOver = false } = given;
      return { paymentStatus: answer, trialRefused, trialOver };
    },
    readTier: async () => {
      events.push('look');
      return next(tiers);
    },
    wait: async (ms) => void events.push(ms),
    waitWhileShown: async (ms) => {
      events.push(ms);
      waits += 1;
      if (waits === given.leaveAfter) throw new Error('left');
    },
    success: PAYMENT_SUCCESSFUL,
    show: ({ title }) => void events.push(title),
    onWaiting: () => void events.push('waiting'),
  };
  return { events, result: takePayment(steps) };
}

const intent = (status: string) => async () => ({ intent: { id: 'pi_1', status } });

test('a payment that succeeds is confirmed with the server, shown, and waited for until the tier is pro', async () => {
  const { events, result } = play({ browser: intent('succeeded'), tiers: ['free', 'free', 'pro'] });
  expect(await result).toBe('paid');
  expect(events).toEqual(['confirm pi_1', 'Payment Successful', 1000, 'look', 500, 'look', 500, 'look']);
});

test('the tier is looked for 20 times and no more, and the payment is still paid', async () => {
  const { events, result } = play({ browser: intent('succeeded'), tiers: ['free'] });
  expect(await result).toBe('paid');
  expect(events.filter((event) => event === 'look')).toHaveLength(20);
  expect(events.filter((event) => event === 500)).toHaveLength(19);
});

test('a payment that the server can not confirm is shown and never asked for again', async () => {
  const { events, result } = play({ browser: intent('succeeded'), server: [new Error('down')] });
  expect(await result).toBe('unconfirmed');
  expect(events).toEqual(['confirm pi_1', 'Payment Confirmation Failed']);
});

test('a payment that is processing is waited for, through failing reads, until it is decided', async () => {
  const { events, result } = play({
    browser: intent('processing'),
    server: ['processing', new Error('down'), 'succeeded'],
  });
  expect(await result).toBe('paid');
  expect(events.slice(0, 9)).toEqual([
    'Payment Processing',
    'waiting',
    2000,
    'confirm pi_1',
    2000,
    'confirm pi_1',
    2000,
    'confirm pi_1',
    'Payment Successful',
  ]);
});

test('a payment that fails after processing can be tried again', async () => {
  const { result } = play({ browser: intent('processing'), server: ['requires_payment_method'] });
  expect(await result).toMatchObject({ refused: { title: 'Payment Failed' }, stale: false });
});

test('it stops waiting when the user leaves the screen', async () => {
  const { result } = play({ browser: intent('processing'), server: ['processing'], leaveAfter: 40 });
  await expect(result).rejects.toThrow('left');
});

test.each([
  ['requires_payment_method', 'Payment Failed', false],
  ['requires_action', 'Action Required', false],
  ['requires_capture', 'Payment Status Unknown', false],
  ['canceled', 'Payment Status Unknown', true],
])('%s leads to the message %s', async (status, title, stale) => {
  const { events, result } = play({ browser: intent(status) });
  expect(await result).toMatchObject({ refused: { title }, stale });
  expect(events).toEqual([title]);
});

test("the provider's refusal is shown in its words; one of the request itself asks for a new secret", async () => {
  const declined = play({
    browser: async () => ({ error: { type: 'card_error', message: 'Your card was declined.' } }),
  });
  expect(await declined.result).toMatchObject({
    refused: { title: 'Payment Failed', description: 'Your card was declined.' },
    stale: false,
  });
  const unusable = play({
    browser: async () => ({ error: { type: 'invalid_request_error', message: 'No such payment_intent' } }),
  });
  const next = 'Nothing was charged. Please enter your card again.';
  expect(await unusable.result).toMatchObject({ stale: true, next });
});

test('a setup that another tab has replaced asks for a new secret', async () => {
  const { events, result } = play({
    browser: async () => ({
      error: {
        type: 'invalid_request_error',
        code: 'setup_intent_unexpected_state',
        setup_intent: { id: 'seti_1', status: 'canceled' } as SetupIntent,
      },
    }),
  });
  expect(await result).toMatchObject({ stale: true });
  expect(events).toEqual(['Payment Failed']);
});

test('a failed authentication can be repeated with the same secret', async () => {
  const { result } = play({
    browser: async () => ({
      error: { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
    }),
  });
  expect(await result).toMatchObject({ refused: { title: 'Payment Failed' }, stale: false });
});

test('an error of the script itself is shown as such', async () => {
  const { result } = play({ browser: () => Promise.reject(new Error('IntegrationError')) });
  expect(await result).toMatchObject({ refused: { title: 'Payment Error' }, stale: false });
});

test('a form that is not filled in says so itself, and nothing else does', async () => {
  const error = { type: 'validation_error', code: 'incomplete_number', message: 'Incomplete.' } as const;
  const { events, result } = play({ browser: async () => ({ error }) });
  expect(await result).toBe('incomplete');
  expect(events).toEqual([]);
});

test.each([
  ['insufficient_funds', 'Use another card, or try again when there is enough money in your account.'],
  ['expired_card', 'Use a card that has not expired.'],
  ['generic_decline', 'Try another card, or ask your bank why it declined this one.'],
])('a card that is declined for %s says what to do next', async (decline_code, step) => {
  const error = { type: 'card_error', code: 'card_declined', decline_code, message: 'Declined.' } as const;
  const { result } = play({ browser: async () => ({ error }) });
  expect(await result).toMatchObject({ next: `Nothing was charged. ${step}`, stale: false });
});

test('a card that has had a trial begins none: it says so, and a new secret asks for the price', async () => {
  const { events, result } = play({ browser: intent('succeeded'), trialRefused: true });
  expect(await result).toMatchObject({
    refused: { title: 'No free trial', description: expect.stringContaining('Nothing was charged.') },
    stale: true,
  });
  expect(events).toEqual(['confirm pi_1', 'No free trial']);
});

test('a card that is confirmed after its trial has ended starts nothing: it says so, and a new secret is offered', async () => {
  const { events, result } = play({ browser: intent('succeeded'), trialOver: true });
  expect(await result).toMatchObject({
    refused: { title: 'The trial is over', description: expect.stringContaining('Nothing was charged.') },
    stale: true,
  });
  expect(events).toEqual(['confirm pi_1', 'The trial is over']);
});
