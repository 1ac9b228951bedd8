import { expect, test } from 'vitest';
import { activeAt } from '../../test/active-entitlement.ts';
import type { Entitlement } from './entitlement.ts';
import { type KnownPlan, NEW_PLAN, type PlanRecord, planMilestones } from './plan-milestones.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const DAY = 86_400_000;
const active = activeAt(NOW);
const unpaid = {
  status: 'past_due',
  paymentFailed: true,
  unpaidInvoiceId: 'in_1',
  endReason: 'payment-failed',
  graceEndsMs: NOW + 7 * DAY,
} as const;
const over = { status: 'canceled', tier: 'free', cancelsMs: NOW - DAY } as const;

const known = (changes: Partial<KnownPlan> = {}): KnownPlan => ({
  entitlement: active,
  trialUsed: true,
  plan: NEW_PLAN,
  published: 'pro active',
  ...changes,
});
const reached = (now: Partial<Entitlement>, before: Partial<KnownPlan> = {}) =>
  planMilestones(known(before), { ...active, ...now }, NOW);
const plan = (changes: Partial<PlanRecord>): PlanRecord => ({ ...NEW_PLAN, ...changes });

test('nothing is reached while the subscription continues', () => {
  expect(reached({})).toEqual({ reached: [], plan: NEW_PLAN });
});

test('the first time that a user has pro is no return', () => {
  expect(reached({}, { published: null, trialUsed: false }).reached).toEqual([]);
  expect(reached({}, { published: 'free canceled', trialUsed: false }).reached).toEqual([]);
});

test('a user whose plan is published for the first time does not return to pro, though a trial was used', () => {
  expect(reached({}, { published: null, trialUsed: true }).reached).toEqual([]);
});

test('pro that ends is reported with its reason and its time, which stay on record', () => {
  const ended = { atMs: NOW - DAY, reason: 'canceled' } as const;
  expect(reached(over)).toEqual({
    reached: [{ milestone: 'pro-ended', reason: 'canceled', effectiveMs: NOW - DAY }],
    plan: plan({ ended }),
  });
  expect(reached(over, { published: 'free canceled', plan: plan({ ended }) })).toEqual({
    reached: [],
    plan: plan({ ended }),
  });
});

test('an end in the future is one that has been noticed now', () => {
  expect(reached({ ...over, cancelsMs: NOW + DAY }).plan.ended?.atMs).toBe(NOW);
  expect(reached({ ...over, cancelsMs: null }).plan.ended?.atMs).toBe(NOW);
});

test.each([
  ['after days of grace', { ...unpaid, tier: 'free', graceEndsMs: NOW - 1 }, {}, 'payment-failed'],
  ['when the provider stops retrying', { ...over, endReason: 'payment-failed' }, {}, 'payment-failed'],
  ['unpaid, without a word of the provider', over, { paymentFailed: true }, 'payment-failed'],
  ['paid back while unpaid', { ...over, endReason: 'refunded' }, { paymentFailed: true }, 'refunded'],
] as const)('pro that ends %s says why', (_, now, before, reason) => {
  const { milestone, reason: found } =
    reached(now, { entitlement: { ...active, ...before } }).reached[0] ?? {};
  expect([milestone, found]).toEqual(['pro-ended', reason]);
});

test('pro that ends without an entitlement on record has the reason of the provider', () => {
  const { reached: milestones } = reached(over, { entitlement: undefined });
  expect(milestones).toEqual([{ milestone: 'pro-ended', reason: 'canceled', effectiveMs: NOW - DAY }]);
});

test('pro that returns is reported, and the end is forgotten', () => {
  const ended = { atMs: NOW - DAY, reason: 'canceled' } as const;
  expect(reached({}, { published: 'free canceled', plan: plan({ ended }) })).toEqual({
    reached: [{ milestone: 'pro-returned', effectiveMs: NOW }],
    plan: NEW_PLAN,
  });
});

test('each unpaid invoice is reported once, with the day on which pro ends', () => {
  const first = reached(unpaid);
  expect(first.reached).toEqual([{ milestone: 'payment-failed', effectiveMs: NOW + 7 * DAY }]);
  expect(reached(unpaid, { published: 'pro past_due', plan: first.plan }).reached).toEqual([]);
  const next = { ...unpaid, unpaidInvoiceId: 'in_2' };
  expect(reached(next, { plan: first.plan }).reached).toHaveLength(1);
});

test('no unpaid invoice is reported once it is paid, nor without pro', () => {
  const notified = plan({ notifiedOfInvoice: 'in_1' });
  expect(reached({}, { plan: notified })).toEqual({ reached: [], plan: notified });
  expect(reached({ ...unpaid, tier: 'free' }, { published: 'free past_due' })).toEqual({
    reached: [],
    plan: NEW_PLAN,
  });
});

test('a trial without a reminder is not reported before its end', () => {
  const trial = { status: 'trialing', trialEndsMs: NOW + 3 * DAY, trialReminderMs: null } as const;
  expect(reached(trial, { published: 'pro trialing' })).toEqual({ reached: [], plan: NEW_PLAN });
});

test('a trial is about to end once: from its reminder on, until it has ended', () => {
  const trial = { status: 'trialing', trialEndsMs: NOW + 3 * DAY, trialReminderMs: NOW } as const;
  const first = reached(trial, { published: 'pro trialing' });
  expect(first.reached).toEqual([{ milestone: 'trial-ending', effectiveMs: NOW + 3 * DAY }]);
  expect(reached(trial, { published: 'pro trialing', plan: first.plan }).reached).toEqual([]);
  expect(reached({ ...trial, trialReminderMs: NOW + 1 }).reached).toEqual([]);
  expect(reached({ ...trial, trialReminderMs: NOW - DAY, trialEndsMs: NOW }).reached).toEqual([]);
  expect(reached({ ...trial, tier: 'free' }, { published: null }).reached).toEqual([]);
});

test('a trial that has no card is not said to be charged: also when the card was removed after the reminder', () => {
  const trial = { status: 'trialing', trialEndsMs: NOW + 3 * DAY, trialReminderMs: NOW } as const;
  const milestone = { milestone: 'trial-without-card', effectiveMs: NOW + 3 * DAY };
  const without = reached({ ...trial, trialEndsPro: true }, { published: 'pro trialing' });
  expect(without.reached).toEqual([milestone]);
  const { plan } = reached(trial, { published: 'pro trialing' });
  const removed = reached({ ...trial, trialEndsPro: true }, { published: 'pro trialing', plan });
  expect(removed.reached).toEqual([milestone]);
  const again = { published: 'pro trialing', plan: removed.plan };
  expect(reached({ ...trial, trialEndsPro: true }, again).reached).toEqual([]);
  expect(reached(trial, again).reached).toEqual([{ milestone: 'trial-ending', effectiveMs: NOW + 3 * DAY }]);
});
