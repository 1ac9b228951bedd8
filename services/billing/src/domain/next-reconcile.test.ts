import { expect, test } from 'vitest';
import { activeAt } from '../../test/active-entitlement.ts';
import type { Entitlement } from './entitlement.ts';
import { nextReconcileMs } from './next-reconcile.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const schedule = { reconcileMs: MINUTE, sweepMs: DAY };
const active = activeAt(NOW);

test.each<[string, Partial<Entitlement> | undefined, number]>([
  ['nothing there', undefined, DAY],
  ['settled and far from its renewal', {}, DAY],
  ['about to renew', { periodEndsMs: NOW + HOUR }, HOUR + 1_000],
  ['just renewed, its money still to come', { periodEndsMs: NOW - HOUR }, HOUR],
  ['about to end', { cancelsMs: NOW + HOUR, periodEndsMs: NOW + HOUR }, HOUR + 1_000],
  ['begun this moment', { status: 'incomplete', createdMs: NOW }, MINUTE],
  ['begun an hour ago', { status: 'incomplete', createdMs: NOW - HOUR }, 15 * MINUTE],
  ['begun yesterday', { status: 'incomplete', createdMs: NOW - DAY }, HOUR],
  ['a trial without a card', { status: 'trialing', awaitsCard: true, createdMs: NOW }, MINUTE],
  ['unpaid with grace to come', { status: 'past_due', graceEndsMs: NOW + 5 * DAY }, HOUR],
  ['unpaid at the end of its grace', { status: 'past_due', graceEndsMs: NOW + 7 * MINUTE }, 7 * MINUTE],
  ['unpaid after its grace', { status: 'past_due', graceEndsMs: NOW - DAY }, HOUR],
  ['over at the end of what is paid', { status: 'canceled', periodEndsMs: NOW + HOUR }, DAY],
  ['a trial about to end', { status: 'trialing', periodEndsMs: NOW + HOUR }, HOUR + 1_000],
  ['a trial that ends today', { status: 'trialing', periodEndsMs: NOW + 5 * HOUR }, 4 * HOUR],
  ['a trial whose reminder is due', { status: 'trialing', trialReminderMs: NOW + 5 * MINUTE }, 5 * MINUTE],
  ['a trial after its reminder', { status: 'trialing', trialReminderMs: NOW - HOUR }, DAY],
  ['a trial that has just ended', { status: 'trialing', periodEndsMs: NOW - HOUR }, DAY],
  ['ended just now', { cancelsMs: NOW - HOUR, periodEndsMs: NOW - HOUR }, DAY],
  ['unpaid at this moment of grace', { status: 'past_due', graceEndsMs: NOW }, HOUR],
  ['paused and about to be charged again', { pause: { resumesMs: NOW + HOUR } }, HOUR + 1_000],
  ['paused without a day', { pause: { resumesMs: null } }, DAY],
  ['over', { status: 'canceled' }, DAY],
])('one that is %s', (_what, change, inMs) => {
  expect(nextReconcileMs(change && { ...active, ...change }, NOW, schedule) - NOW).toBe(inMs);
});
