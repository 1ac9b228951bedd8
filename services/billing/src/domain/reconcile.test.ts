import { pino } from 'pino';
import { expect, test } from 'vitest';
import { activeAt } from '../../test/active-entitlement.ts';
import { accountOf, billingOf } from '../../test/billing-parts.ts';
import { cardlessTrialAt, invoiceAt, subscriptionAt } from '../../test/provider-subscription.ts';
import {
  CardDeclined,
  CustomerNotFound,
  ProviderRefusal,
  type ProviderState,
  type ProviderSubscription,
} from './provider.ts';
import { readState, reconcile, save } from './reconcile.ts';
import { reconcileAccount } from './reconcile-account.ts';
import type { Account, Store } from './store.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const DAY = 86_400_000;

const stateOf = (subscriptions: ProviderSubscription[]): ProviderState => ({ subscriptions });
const confirmed = { id: 'seti_1', succeeded: true, clientSecret: null };

test.each<[string, ProviderState, string[]]>([
  ['no subscription', stateOf([]), []],
  ['a paid one', stateOf([subscriptionAt(NOW)]), []],
  ['one that was paid back', stateOf([subscriptionAt(NOW, { paidBack: true })]), ['end sub_1']],
  [
    'one that was paid back and is over',
    stateOf([subscriptionAt(NOW, { status: 'canceled', paidBack: true })]),
    [],
  ],
  [
    'a trial whose card is confirmed',
    stateOf([cardlessTrialAt(NOW, { setup: confirmed, cardToUse: 'pm_1' })]),
    ['use pm_1 sub_1 cus_1'],
  ],
  [
    'a trial that uses its card',
    stateOf([cardlessTrialAt(NOW, { setup: confirmed, hasPaymentMethod: true })]),
    [],
  ],
  ['a trial that waits for its card', stateOf([cardlessTrialAt(NOW)]), []],
  [
    'a card that is not confirmed',
    stateOf([cardlessTrialAt(NOW, { setup: { ...confirmed, succeeded: false } })]),
    [],
  ],
  ['a confirmation without a card', stateOf([cardlessTrialAt(NOW, { setup: confirmed })]), []],
  [
    'one whose card was replaced',
    stateOf([subscriptionAt(NOW, { cardToUse: 'pm_2' })]),
    ['use pm_2 sub_1 cus_1'],
  ],
])('%s at the provider is repaired where it must be, and then read again', async (_what, state, repairs) => {
  const asked: string[] = [];
  const repaired = stateOf([]);
  let reads = 0;
  const provider = {
    stateOf: async () => (reads++ === 0 ? state : repaired),
    endSubscription: async (id: string) => void asked.push(`end ${id}`),
    usePaymentMethod: async (id: string, customerId: string, method: string) =>
      void asked.push(`use ${method} ${id} ${customerId}`),
  };
  const found = await readState(billingOf({ provider }), accountOf(), 'cus_1');
  expect(asked).toEqual(repairs);
  expect(found).toBe(repairs.length > 0 ? repaired : state);
});

test('a card that the provider refuses or does not keep is reported, and the account is shown as it is', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const state = stateOf([subscriptionAt(NOW, { cardToUse: 'pm_2' })]);
  const refusals = [new ProviderRefusal('no such card'), new CardDeclined('declined'), undefined];
  for (const refusal of refusals) {
    const usePaymentMethod = async () => {
      if (refusal) throw refusal;
    };
    const provider = { stateOf: async () => state, usePaymentMethod };
    expect(await readState(billingOf({ provider, logger }), accountOf(), 'cus_1')).toEqual(state);
  }
  expect(lines.filter((line) => line.includes('was refused'))).toHaveLength(2);
  expect(lines.filter((line) => line.includes('is not in use'))).toHaveLength(3);
  const usePaymentMethod = () => Promise.reject(new Error('out'));
  const out = billingOf({ provider: { stateOf: async () => state, usePaymentMethod } });
  await expect(readState(out, accountOf(), 'cus_1')).rejects.toThrow('out');
});

test('once a subscription has ended, its open setups are canceled, once', async () => {
  const asked: string[] = [];
  const provider = {
    stateOf: async () => stateOf([subscriptionAt(NOW, { status: 'canceled' })]),
    cancelOpenSetups: async (id: string) => void asked.push(id),
  };
  const entitlement = activeAt(NOW);
  await readState(billingOf({ provider }), accountOf({ entitlement }), 'cus_1');
  expect(asked).toEqual(['cus_1']);
  const known = { ...entitlement, status: 'canceled' } as const;
  await readState(billingOf({ provider }), accountOf({ entitlement: known }), 'cus_1');
  await readState(billingOf({ provider }), accountOf(), 'cus_1');
  expect(asked).toEqual(['cus_1']);
});

test('a change of what has ended can’t be paid, also beside another subscription, and of a deleted user', async () => {
  const asked: string[] = [];
  const latestInvoice = invoiceAt(NOW, { status: 'open' });
  const ended = subscriptionAt(NOW, { id: 'sub_0', status: 'canceled', changePending: true, latestInvoice });
  const provider = {
    stateOf: async () => stateOf([ended, subscriptionAt(NOW)]),
    voidInvoice: async (id: string) => asked.push(`void ${id}`) > 0,
    endSubscription: async (id: string) => void asked.push(`end ${id}`),
    removeCustomer: async (id: string) => void asked.push(`remove ${id}`),
  };
  await readState(billingOf({ provider }), accountOf({ entitlement: activeAt(NOW) }), 'cus_1');
  expect(asked).toEqual(['void in_1']);
  const store = { find: async () => accountOf({ deleted: true }), close: async () => undefined };
  await reconcileAccount(billingOf({ provider, store }), 'user_1');
  expect(asked.slice(1)).toEqual(['void in_1', 'end sub_1', 'remove cus_1']);
});

test('a customer that the provider does not know has nothing there, but not while something is paid for', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const provider = { stateOf: () => Promise.reject(new CustomerNotFound('no such customer')) };
  const stateFor = (account: Account) => readState(billingOf({ provider, logger }), account, 'cus_1');
  const entitlement = activeAt(NOW);
  const nothing = stateOf([]);
  expect(await stateFor(accountOf())).toEqual(nothing);
  expect(await stateFor(accountOf({ entitlement: { ...entitlement, tier: 'free' } }))).toEqual(nothing);
  // Seven days of grace after the period.
  const ended = accountOf({ entitlement: { ...entitlement, periodEndsMs: NOW - 7 * DAY } });
  expect(await stateFor(ended)).toEqual(nothing);
  const paid = accountOf({ entitlement: { ...entitlement, periodEndsMs: NOW - 7 * DAY + 1 } });
  await expect(stateFor(paid)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  const logged = { customerId: 'cus_1', msg: 'billing: customer unknown to the payment provider' };
  expect(lines.map((line) => JSON.parse(line))).toEqual(Array(4).fill(expect.objectContaining(logged)));
  const broken = { stateOf: () => Promise.reject(new Error('unknown')) };
  await expect(readState(billingOf({ provider: broken }), accountOf(), 'cus_1')).rejects.toThrow('unknown');
});

/** Saves a state of the provider; resolves to what went to the store. */
async function saved(account: Account, state: ProviderState) {
  let kept: Parameters<Store['saveReconciled']>[1] | undefined;
  const store: Partial<Store> = {
    saveReconciled: async (_account, reconciled) => {
      kept = reconciled;
      return true;
    },
    find: async () => undefined,
  };
  expect(await save(billingOf({ store }), account, state)).toBe(account);
  return kept;
}

test('a subscription whose customer was removed at the provider has ended, and waits for nothing', async () => {
  const before = {
    ...activeAt(NOW),
    status: 'past_due',
    graceEndsMs: NOW + DAY,
    trialEndsMs: NOW + DAY,
    paymentFailed: true,
    awaitsCard: true,
  } as const;
  const known = accountOf({ entitlement: before, published: 'pro past_due' });
  expect(await saved(known, stateOf([]))).toMatchObject({
    entitlement: {
      subscriptionId: 'sub_1',
      status: 'canceled',
      tier: 'free',
      createdMs: NOW,
      graceEndsMs: null,
      trialEndsMs: null,
      trialReminderMs: null,
      unpaidInvoiceId: null,
      endReason: 'payment-failed',
      paymentFailed: false,
      awaitsCard: false,
    },
    change: { tier: 'free', status: 'canceled' },
    milestones: [{ milestone: 'pro-ended', reason: 'payment-failed', effectiveMs: NOW }],
    nextReconcileMs: NOW + DAY,
  });
  const paid = accountOf({ entitlement: activeAt(NOW), published: 'pro active' });
  expect(await saved(paid, stateOf([]))).toMatchObject({ entitlement: { endReason: 'canceled' } });
});

test('a customer without a subscription is looked at again at the longest interval', async () => {
  const plan = {
    ended: { atMs: NOW, reason: 'canceled' },
    remindedOfTrial: null,
    notifiedOfInvoice: null,
  } as const;
  expect(await saved(accountOf({ plan }), stateOf([]))).toEqual({
    entitlement: undefined,
    trialUsed: false,
    change: undefined,
    milestones: [],
    plan,
    nextReconcileMs: NOW + DAY,
  });
});

test('a trial that was used once stays used', async () => {
  const begun = stateOf([subscriptionAt(NOW, { status: 'incomplete' })]);
  expect(await saved(accountOf({ trialUsed: true }), begun)).toMatchObject({ trialUsed: true });
  expect(await saved(accountOf(), begun)).toMatchObject({ trialUsed: false });
  expect(await saved(accountOf(), stateOf([subscriptionAt(NOW)]))).toMatchObject({ trialUsed: true });
});

test('an account that changed while the provider was asked is not answered from what was read', async () => {
  const billing = billingOf({
    store: { saveReconciled: async () => false, find: async () => accountOf() },
    provider: { stateOf: async () => stateOf([subscriptionAt(NOW)]) },
  });
  await expect(reconcile(billing, accountOf(), 'cus_1')).rejects.toMatchObject({
    code: 'PAYMENTS_UNAVAILABLE',
  });
});

test('an account is reconciled without a customer, and not at all when there is none', async () => {
  const kept: unknown[] = [];
  const found: Record<string, Account> = { user_1: accountOf({ customerId: null, contactChanged: true }) };
  const billing = billingOf({
    store: {
      find: async (userId) => found[userId],
      saveReconciled: async (_account, { nextReconcileMs, plan }) => kept.push({ nextReconcileMs, plan }) > 0,
    },
  });
  await reconcileAccount(billing, 'user_2');
  expect(kept).toEqual([]);
  await reconcileAccount(billing, 'user_1');
  expect(kept).toEqual([{ nextReconcileMs: null, plan: found.user_1?.plan }]);
});

test.each<[string, object[], Error | undefined, string[]]>([
  ['is the one that identity has now', [{ email: 'now@example.org' }], undefined, ['now@example.org']],
  ['is not offered again after a refusal', [{ email: 'bad' }], new ProviderRefusal('no'), ['bad']],
  ['stays to be done after an outage', [{ email: 'now@example.org' }], new Error('out'), []],
  [
    'stays to be done after a failure of the provider',
    [{ email: 'now@example.org' }],
    new ProviderRefusal('oops', { isOfRequest: false }),
    [],
  ],
  ['stays pending for a deleted account', [], undefined, []],
])('the address of a customer %s', async (_what, addresses, failure, kept) => {
  const lines: string[] = [];
  const saved: string[] = [];
  const asked: unknown[] = [];
  const account = accountOf({ contactChanged: true, name: 'Ana' });
  const billing = billingOf({
    logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    services: { call: async () => ({ addresses }) as never },
    store: {
      find: async () => account,
      saveReconciled: async () => true,
      saveContact: async (_account, email) => void saved.push(email),
    },
    provider: {
      stateOf: async () => stateOf([]),
      updateCustomer: async (...update) => {
        asked.push(update);
        if (failure) throw failure;
      },
    },
  });
  await reconcileAccount(billing, 'user_1');
  expect(saved).toEqual(kept);
  expect(asked).toEqual(addresses.map((address) => ['cus_1', { ...address, name: 'Ana' }]));
  const isOutage = failure !== undefined && !(failure instanceof ProviderRefusal && failure.isOfRequest);
  expect(lines.map((line) => line.includes('will retry'))).toEqual(isOutage ? [true] : []);
});

test('a customer whose name and address have not changed is left as it is', async () => {
  const asked: unknown[] = [];
  const billing = billingOf({
    services: { call: async () => asked.push('identity') as never },
    store: { find: async () => accountOf(), saveReconciled: async () => true },
    provider: { stateOf: async () => stateOf([]) },
  });
  await reconcileAccount(billing, 'user_1');
  expect(asked).toEqual([]);
});

test('of a deleted user every subscription is ended that is not over, before the customer is removed', async () => {
  const done: string[] = [];
  const subscriptions = [
    subscriptionAt(NOW),
    subscriptionAt(NOW, { id: 'sub_2', status: 'past_due' }),
    subscriptionAt(NOW, { id: 'sub_3', status: 'canceled' }),
    subscriptionAt(NOW, { id: 'sub_4', status: 'incomplete_expired' }),
  ];
  const billing = billingOf({
    store: {
      find: async () => accountOf({ deleted: true }),
      close: async (userId) => void done.push(`close ${userId}`),
    },
    provider: {
      stateOf: async () => stateOf(subscriptions),
      endSubscription: async (id) => void done.push(`end ${id}`),
      removeCustomer: async (id) => void done.push(`remove ${id}`),
    },
  });
  await reconcileAccount(billing, 'user_1');
  expect(done).toEqual(['end sub_1', 'end sub_2', 'remove cus_1', 'close user_1']);
});

test('of a deleted user every customer is removed that a request without an answer has created', async () => {
  const done: string[] = [];
  const billing = billingOf({
    store: {
      find: async () => accountOf({ deleted: true, customerId: null, customerAskedMs: NOW - 1 }),
      close: async (userId) => void done.push(`close ${userId}`),
    },
    provider: {
      findCustomers: async (userId, atMs) => {
        done.push(`find ${userId} ${atMs - NOW}`);
        return ['cus_1', 'cus_2'];
      },
      stateOf: async () => stateOf([]),
      removeCustomer: async (id) => void done.push(`remove ${id}`),
    },
  });
  await reconcileAccount(billing, 'user_1');
  expect(done).toEqual(['find user_1 -1', 'remove cus_1', 'remove cus_2', 'close user_1']);
});
