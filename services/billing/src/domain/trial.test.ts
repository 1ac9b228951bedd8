import { listMailAddresses } from '@casewatch/contracts/mail-addresses';
import { route } from '@casewatch/service-kit/http/route';
import { createServiceClient } from '@casewatch/service-kit/http/service-client';
import { expect, test } from 'vitest';
import { activeAt } from '../../test/active-entitlement.ts';
import { accountOf, billingOf } from '../../test/billing-parts.ts';
import { cardlessTrialAt, subscriptionAt } from '../../test/provider-subscription.ts';
import type { ProviderSubscription } from './provider.ts';
import type { Account, TrialClaims } from './store.ts';
import { keepsTrial, trialChance } from './trial.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const USER = '6f2c8a70-5d0e-4b6e-9a52-7d9b8e1c4f01';
const trial = (changes: Partial<ProviderSubscription> = {}) =>
  subscriptionAt(NOW, { status: 'trialing', isFirstTrial: true, ...changes });

async function keeping(
  subscription: ProviderSubscription,
  options: { trials?: Partial<TrialClaims>; account?: Partial<Account>; isDeleted?: boolean } = {},
) {
  const claimed: unknown[] = [];
  const address = { userId: USER, email: 'Ana+x@Example.org', verified: true, language: 'en' as const };
  const services = createServiceClient({
    locate: () => ({
      kind: 'local',
      routes: [
        route(listMailAddresses, async () => ({ body: { addresses: options.isDeleted ? [] : [address] } })),
      ],
    }),
    internalSecret: 'unused',
  });
  const billing = billingOf({
    services,
    trials: {
      isTaken: () => Promise.reject(new Error('not asked')),
      has: async () => false,
      claim: async (_claim, marks) => claimed.push(...marks) > 0,
      ...options.trials,
    },
  });
  return {
    kept: await keepsTrial(billing, accountOf({ userId: USER, ...options.account }), subscription),
    claimed,
  };
}

const MARKS = [
  { kind: 'address', value: 'ana@example.org' },
  { kind: 'payer', value: 'card fingerprint_1' },
];

test.each<[string, ProviderSubscription, Parameters<typeof keeping>[1], boolean, unknown[]]>([
  ['claims address and card when its card is confirmed', trial(), {}, true, MARKS],
  [
    'may not continue when one of them is taken',
    trial(),
    { trials: { claim: async () => false } },
    false,
    [],
  ],
  ['claims nothing while it waits for its card', cardlessTrialAt(NOW, { isFirstTrial: true }), {}, true, []],
  ['claims nothing a second time', trial(), { trials: { has: async () => true } }, true, []],
  [
    'that has counted is not asked again, whatever the card is now',
    trial({ payer: 'card another' }),
    { account: { entitlement: { ...activeAt(NOW), status: 'trialing' } } },
    true,
    [],
  ],
  [
    'that was refused stays so until it is over',
    trial(),
    { account: { refusedSubscriptionId: 'sub_1' } },
    false,
    [],
  ],
  ['of a payer that is not known may not continue', trial({ payer: null }), {}, false, []],
  ['of a deleted user may not continue', trial(), { isDeleted: true }, false, []],
  ['that support gave to a customer is none of ours', trial({ isFirstTrial: false }), {}, true, []],
  ['that is over, and paid, is none', trial({ status: 'active' }), {}, true, []],
])('a trial %s', async (_what, subscription, options, kept, claimed) => {
  expect(await keeping(subscription, options)).toEqual({ kept, claimed });
});

test.each<[string, Partial<Account>, number, string | null, boolean | undefined, string]>([
  ['a new account', {}, 14, 'ana@example.org', false, 'offered'],
  ['an account without a known address', {}, 14, null, true, 'offered'],
  ['an address that is taken', {}, 14, 'ana@example.org', true, 'taken'],
  ['an address that can not be looked up', {}, 14, 'ana@example.org', undefined, 'none'],
  ['an account that had one', { trialUsed: true }, 14, 'ana@example.org', true, 'none'],
  ['an account that was refused one', { trialRefused: true }, 14, 'ana@example.org', false, 'taken'],
  ['anyone where there are none', {}, 0, 'ana@example.org', true, 'none'],
])('whether a trial may begin: %s', async (_who, account, trialDays, email, isTaken, chance) => {
  const trials = { isTaken: async () => isTaken, has: async () => false, claim: async () => false };
  expect(await trialChance({ trials, trialDays }, accountOf(account), email)).toBe(chance);
});
