import { type CallQueue, CallRefusal } from '@casewatch/shared-state/call-queues/call-queue';
import { createManualClock } from '@casewatch/testing/manual-clock';
import { beforeEach, expect, test } from 'vitest';
import type { BudgetCaller } from '../domain/agency.ts';
import { type Budget, createBudget } from './budget.ts';
import { BudgetRefusal } from './budget-refusal.ts';

const PRO: BudgetCaller = { source: 'user', userId: 'ada', tier: 'pro' };
const CHECK: BudgetCaller = { source: 'monitor' };

/** What queue and quota were asked for, in order. */
let asked: string[];
/** Throws at the step of this name. */
let fault: { at: string; error: Error } | undefined;
let budget: Budget;

function step(name: string): void {
  asked.push(name);
  if (fault?.at === name) throw fault.error;
}

beforeEach(() => {
  asked = [];
  fault = undefined;
  const queue: CallQueue = {
    take: async (participant, withinMs) => {
      step(`queue ${JSON.stringify(participant)} within ${withinMs}`);
      return { done: () => step('done'), release: () => step('release'), isExpired: () => false };
    },
    pause: (ms) => step(`pause ${ms}`),
    depth: () => ({ user: 0, scheduled: 0 }),
    stop: () => step('stop queue'),
  };
  budget = createBudget({
    clock: createManualClock(),
    queue,
    quota: {
      check: ({ source }) => step(`check ${source}`),
      spend: async ({ source }) => {
        step(`spend ${source}`);
        return 'monday';
      },
      giveBack: ({ source }, day) => step(`give back ${source} of ${day}`),
      stop: async () => step('stop quota'),
    },
    weights: { free: 1, pro: 4 },
    metrics: { waited: () => undefined, refused: (reason) => step(`refused ${reason}`) },
  });
});

const QUEUED_AS_PRO = 'queue {"kind":"user","id":"ada","weight":4} within 900';

test('a call is taken in turn by the weight of its plan, then spent, and given back to both when it is not made', async () => {
  const lease = await budget.take(PRO, 900);
  expect(asked).toEqual(['check user', QUEUED_AS_PRO, 'spend user']);
  lease.release();
  expect(asked.slice(3)).toEqual(['release', 'give back user of monday']);
});

test('a caller that the day has just refused takes no turn from others', async () => {
  fault = { at: 'check monitor', error: new BudgetRefusal('spent', 5) };
  await expect(budget.take(CHECK, 900)).rejects.toBe(fault.error);
  expect(asked).toEqual(['check monitor', 'refused spent']);
});

test('a turn for which the day has no call is free at once', async () => {
  fault = { at: 'spend monitor', error: new BudgetRefusal('spent', 5) };
  await expect(budget.take(CHECK, 900)).rejects.toBe(fault.error);
  expect(asked.slice(1)).toEqual([
    'queue {"kind":"scheduled"} within 900',
    'spend monitor',
    'release',
    'refused spent',
  ]);
});

test('what the queue refuses says when to come back, and another error is passed on as it is', async () => {
  fault = { at: QUEUED_AS_PRO, error: new CallRefusal(700, 'unavailable') };
  await expect(budget.take(PRO, 900)).rejects.toMatchObject({
    name: 'BudgetRefusal',
    reason: 'unavailable',
    retryAfterMs: 700,
  });
  fault = { at: QUEUED_AS_PRO, error: new Error('gone') };
  await expect(budget.take(PRO, 900)).rejects.toBe(fault.error);
  expect(asked.filter((one) => one.startsWith('refused'))).toEqual(['refused unavailable']);
});

test('a stop refuses what waits before it gives back what is reserved', async () => {
  budget.pause(300);
  await budget.stop();
  expect(asked).toEqual(['pause 300', 'stop queue', 'stop quota']);
});
