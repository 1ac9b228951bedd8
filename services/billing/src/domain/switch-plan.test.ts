import { createManualClock } from '@casewatch/testing/manual-clock';
import { expect, test } from 'vitest';
import { accountOf, billingOf } from '../../test/billing-parts.ts';
import { invoiceAt, subscriptionAt } from '../../test/provider-subscription.ts';
import { entitlementOf } from './entitlement.ts';
import { CardDeclined, type IntentFacts, ProviderRefusal, type ProviderSubscription } from './provider.ts';
import type { Account } from './store.ts';
import { previewSwitch, switchToYearly } from './switch-plan.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const monthly = { id: 'price_month', cents: 900, interval: 'month', name: 'Monthly' } as const;
const yearly = { id: 'price_year', cents: 9_000, interval: 'year', name: 'Yearly' } as const;
const subscriber = { userId: 'user_1', tier: 'pro', name: 'Ana' } as const;

/** What the provider answers to a switch, and the intents that it has. */
interface Answers {
  answer: ProviderSubscription;
  intents: Record<string, IntentFacts>;
}

/** Billing with a user of this subscription, and what was asked of the provider. */
function having(
  changes: Partial<ProviderSubscription>,
  failure?: Error,
  clock = createManualClock(NOW),
  { answer = subscriptionAt(NOW), intents = {} }: Partial<Answers> = {},
) {
  const asked: unknown[][] = [];
  const state = { subscriptions: [subscriptionAt(NOW, changes)] };
  const account: Account = accountOf({
    entitlement: entitlementOf(state, { nowMs: NOW, graceMs: DAY }),
    published: 'pro active',
  });
  const billing = billingOf({
    clock,
    store: {
      findOrCreate: async () => account,
      find: async () => account,
      saveReconciled: async () => true,
    },
    provider: {
      stateOf: async () => state,
      previewSwitch: async (...preview) => {
        asked.push(['preview', ...preview]);
        return 8_550;
      },
      switchPrice: async ({ id }, change) => {
        asked.push(['switch', id, change]);
        if (failure) throw failure;
        return answer;
      },
      intent: async (id) => intents[id],
      voidInvoice: async (id) => {
        asked.push(['void', id]);
        state.subscriptions[0] = subscriptionAt(NOW);
        return true;
      },
      changeTrial: async (subscription, change) => {
        asked.push(['change trial', subscription.id, change]);
        return subscription;
      },
    },
  });
  const change = (atMs: number, offered = [monthly, yearly]) =>
    switchToYearly(billing, subscriber, { offered, atMs }).then(
      ({ confirmation }) => confirmation ?? 'switched',
      ({ code }: { code: string }) => code,
    );
  return { asked, billing, change };
}
const switched = (atMs: number) => [['switch', 'sub_1', { priceId: 'price_year', atMs }]];

test.each<[string, number, Partial<ProviderSubscription>]>([
  ['of now', NOW, {}],
  ['of an hour ago', NOW - HOUR, {}],
  ['of the beginning of the period', NOW - 60_000, { periodStartsMs: NOW - 60_000 }],
])('an amount %s is charged', async (_what, atMs, changes) => {
  const { asked, change } = having(changes);
  expect([await change(atMs), asked]).toEqual(['switched', switched(atMs)]);
});

test.each<[string, number, Partial<ProviderSubscription>]>([
  ['of the future', NOW + 1, {}],
  ['of more than an hour ago', NOW - HOUR - 1, {}],
  ['of the period before', NOW - 60_001, { periodStartsMs: NOW - 60_000 }],
])('an amount %s is out of date', async (_what, atMs, changes) => {
  const { asked, change } = having(changes);
  expect([await change(atMs), asked]).toEqual(['VALIDATION', []]);
});

test('while support has paused the payments, it is that which is said, and nothing is charged', async () => {
  const paused = having({ pause: { resumesMs: null } });
  const message = 'Support has paused your payments. You can switch to yearly billing once they resume.';
  await expect(previewSwitch(paused.billing, subscriber, [yearly])).rejects.toMatchObject({ message });
  expect([await paused.change(NOW), paused.asked]).toEqual(['NO_SUBSCRIPTION', []]);
  const canceled = having({ pause: { resumesMs: null }, cancelsMs: NOW + DAY });
  await expect(previewSwitch(canceled.billing, subscriber, [yearly])).rejects.toMatchObject({
    message: 'You have no subscription to change.',
  });
});

test.each<[string, Error, string]>([
  ['a declined card says so', new CardDeclined('expired_card'), 'CARD_DECLINED'],
  ['a refusal means that payments are unavailable', new ProviderRefusal('no'), 'PAYMENTS_UNAVAILABLE'],
  ['any other failure is passed on', Object.assign(new Error(), { code: 'OTHER' }), 'OTHER'],
])('of a switch that fails, %s', async (_what, failure, code) => {
  expect(await having({}, failure).change(NOW)).toBe(code);
});

const open = invoiceAt(NOW, { id: 'in_2', status: 'open', clientSecret: 'pi_2_secret_2' });
const pending = subscriptionAt(NOW, { changePending: true, latestInvoice: open });
const intent = (changes: Partial<IntentFacts>): IntentFacts => ({
  customerId: 'cus_1',
  status: 'requires_payment_method',
  paymentMethodId: 'pm_1',
  needsAuthentication: false,
  ...changes,
});
test.each<[string, Partial<IntentFacts> | undefined, unknown, unknown[]]>([
  [
    'waits for authentication is authenticated',
    { needsAuthentication: true },
    { clientSecret: 'pi_2_secret_2', paymentMethodId: 'pm_1' },
    [],
  ],
  ['is processing is waited for', { status: 'processing' }, 'switched', []],
  ['succeeded after the answer is done', { status: 'succeeded' }, 'switched', []],
  ['was declined is made useless', {}, 'CARD_DECLINED', [['void', 'in_2']]],
  [
    'has no card to authenticate is made useless',
    { needsAuthentication: true, paymentMethodId: null },
    'CARD_DECLINED',
    [['void', 'in_2']],
  ],
  ['is not found is made useless', undefined, 'CARD_DECLINED', [['void', 'in_2']]],
])('a payment of a switch that %s', async (_what, facts, answer, voided) => {
  const intents: Answers['intents'] = facts ? { pi_2: intent(facts) } : {};
  const { asked, change } = having({}, undefined, createManualClock(NOW), { answer: pending, intents });
  expect([await change(NOW), asked]).toEqual([answer, [...switched(NOW), ...voided]]);
});

test('an earlier switch that waits for its payment is made useless before another one', async () => {
  const { asked, change } = having({ changePending: true, latestInvoice: open });
  expect([await change(NOW), asked]).toEqual(['switched', [['void', 'in_2'], ...switched(NOW)]]);
});

test('an earlier switch whose payment is in progress is left, and no other one made', async () => {
  const intents = { pi_2: intent({ status: 'processing' }) };
  const facts = { changePending: true, latestInvoice: open };
  const { asked, change } = having(facts, undefined, createManualClock(NOW), { intents });
  expect([await change(NOW), asked]).toEqual(['switched', []]);
});

test('a switch that is paid and not made yet is not paid again', async () => {
  const { asked, change } = having({ changePending: true, latestInvoice: { ...open, status: 'paid' } });
  expect([await change(NOW), asked]).toEqual(['switched', []]);
});

test('a trial changes its price and keeps its end, and costs nothing now', async () => {
  const trial = { status: 'trialing', trialEndsMs: NOW + 10 * DAY } as const;
  const { asked, billing, change } = having(trial);
  expect(await previewSwitch(billing, subscriber, [monthly, yearly])).toEqual({
    price: { id: 'price_year', amount: 90, interval: 'year', displayName: 'Yearly' },
    at: new Date(NOW).toISOString(),
    dueNow: 0,
    nextPaymentAt: new Date(NOW + 10 * DAY).toISOString(),
  });
  expect(await change(NOW)).toBe('switched');
  expect(asked).toEqual([['change trial', 'sub_1', { priceId: 'price_year', trialEndsMs: undefined }]]);
});

test('what began with a promotion code says that its discount counts', async () => {
  const { billing } = having({ promotionId: 'promo_1' });
  expect(await previewSwitch(billing, subscriber, [yearly])).toMatchObject({ discounted: true });
});

test('the amount is that of the whole second, and the next payment is a year later', async () => {
  const clock = createManualClock(NOW + 999);
  const { asked, billing } = having({}, undefined, clock);
  expect(await previewSwitch(billing, subscriber, [yearly])).toMatchObject({
    at: new Date(NOW).toISOString(),
    dueNow: 85.5,
    nextPaymentAt: '2027-01-05T12:00:00.000Z',
  });
  expect(asked).toEqual([
    [
      'preview',
      'cus_1',
      expect.objectContaining({ id: 'sub_1', itemId: 'si_1' }),
      { priceId: 'price_year', atMs: NOW },
    ],
  ]);
});

test.each<[string, Partial<ProviderSubscription>, string]>([
  ['pays that price already', { price: yearly }, 'switched'],
  ['pays another price by the year', { price: { ...yearly, id: 'price_old' } }, 'NO_SUBSCRIPTION'],
  [
    'has not paid',
    { status: 'past_due', latestInvoice: invoiceAt(NOW, { status: 'open' }) },
    'NO_SUBSCRIPTION',
  ],
  ['has ended', { status: 'canceled' }, 'NO_SUBSCRIPTION'],
  ['paid that price until it ended', { status: 'canceled', price: yearly }, 'NO_SUBSCRIPTION'],
])('who %s has nothing to switch', async (_what, changes, answer) => {
  const { asked, change } = having(changes);
  expect([await change(NOW), asked]).toEqual([answer, []]);
});

test('where no yearly price is offered there is nothing to switch to', async () => {
  const { billing, change } = having({});
  expect(await change(NOW, [monthly])).toBe('NO_SUBSCRIPTION');
  await expect(previewSwitch(billing, subscriber, [monthly])).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
});
