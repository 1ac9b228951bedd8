import { expect, test } from 'vitest';
import { activeAt } from '../../test/active-entitlement.ts';
import type { Entitlement } from '../domain/entitlement.ts';
import { NEW_PLAN, type PlanRecord } from '../domain/plan-milestones.ts';
import { type AccountRow, toAccount, toSubscriptionRow } from './account-row.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const customer = {
  userId: 'user_1',
  email: 'ana@example.org',
  name: 'Ana Diaz',
  stripeCustomerId: 'cus_1',
  customerAskedAt: new Date(NOW - 5),
  attempt: 1,
  version: 2,
  wakes: 3,
  failures: 4,
  userVersion: 0,
  contactChanged: true,
  dueAt: null,
  urgent: false,
  deletedAt: null,
  trialRefused: true,
  refusedSubscriptionId: null,
};
const full = {
  ...activeAt(NOW),
  cancelsMs: NOW + 1,
  trialEndsMs: NOW + 2,
  graceEndsMs: NOW + 3,
  paymentFailed: true,
  awaitsCard: true,
  trialEndsPro: true,
  taxed: true,
  pause: { resumesMs: NOW + 4 },
  card: { brand: 'visa', last4: '4242' },
} as const;
const record: PlanRecord = {
  ended: { atMs: NOW - 1, reason: 'refunded' },
  remindedOfTrial: 'sub_1',
  notifiedOfInvoice: 'in_1',
};
const rowOf = (entitlement: Entitlement, plan: PlanRecord, published: string | null): AccountRow => ({
  ...customer,
  subscription: {
    userId: 'user_1',
    ...toSubscriptionRow(entitlement, { trialUsed: true, plan, published }),
    notifiedOfPrice: null,
  },
});

test.each<[string, Entitlement, PlanRecord, string | null]>([
  ['with every field', full, record, 'pro active'],
  ['with none that can be empty', { ...activeAt(NOW), trialUsed: true }, NEW_PLAN, null],
])('a subscription %s is read as it was stored', (_what, entitlement, plan, published) => {
  const { createdMs, trialReminderMs, unpaidInvoiceId, endReason, ...stored } = entitlement;
  expect(toAccount(rowOf(entitlement, plan, published))).toEqual({
    userId: 'user_1',
    email: 'ana@example.org',
    name: 'Ana Diaz',
    customerId: 'cus_1',
    customerAskedMs: NOW - 5,
    attempt: 1,
    version: 2,
    wakes: 3,
    failures: 4,
    contactChanged: true,
    deleted: false,
    entitlement: { ...stored, trialUsed: true },
    trialUsed: true,
    trialRefused: true,
    refusedSubscriptionId: null,
    plan,
    published,
  });
});

test('a customer without a subscription has used nothing, and a deleted one is marked', () => {
  expect(
    toAccount({ ...customer, customerAskedAt: null, deletedAt: new Date(NOW), subscription: null }),
  ).toMatchObject({
    customerAskedMs: null,
    deleted: true,
    entitlement: undefined,
    trialUsed: false,
    plan: NEW_PLAN,
    published: null,
  });
});

test('a value of the database that is not known is an error, not a guess', () => {
  const { subscription, ...row } = rowOf(full, record, null);
  if (!subscription) throw new Error('there is a subscription');
  expect(() => toAccount({ ...row, subscription: { ...subscription, status: 'resting' } })).toThrow(
    'the database holds an unknown value: resting',
  );
});
