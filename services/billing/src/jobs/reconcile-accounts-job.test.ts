import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { accountOf, billingOf } from '../../test/billing-parts.ts';
import type { Provider } from '../domain/provider.ts';
import type { Store } from '../domain/store.ts';
import { createReconcileAccountsJob } from './reconcile-accounts-job.ts';

const NOW = Date.parse('2026-01-05T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Work {
  /** Each claim takes the first of its list. */
  events: { id: string; paymentIntentId: string; failures: number }[][];
  urgent: string[][];
  routine: string[][];
  store?: Partial<Store>;
  provider?: Partial<Provider>;
}

/** The job on a store with this work. */
async function startJob(work: Partial<Work>, pollMs = SECOND) {
  const clock = createManualClock();
  const done: unknown[][] = [];
  const warnings: { msg: string }[] = [];
  const { events = [], urgent = [], routine = [] } = work;
  const billing = billingOf({
    clock,
    logger: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) }),
    store: {
      claimEvents: async (options) => {
        done.push(['events', options]);
        return events.shift() ?? [];
      },
      claimDue: async ({ urgent: isUrgent, ...options }) => {
        done.push([isUrgent ? 'urgent' : 'routine', options]);
        return (isUrgent ? urgent : routine).shift() ?? [];
      },
      removeEventsDoneBefore: async (beforeMs, limit) => {
        done.push(['clean', beforeMs, limit]);
        return 0;
      },
      find: async () => undefined,
      postponeReconcile: async (...postponed) => void done.push(['postpone', ...postponed]),
      postponeEvent: async (...postponed) => void done.push(['postpone event', ...postponed]),
      makeCustomerDue: async (...due) => void done.push(['make due', ...due]),
      finishEvent: async (...finished) => void done.push(['finish', ...finished]),
      ...work.store,
    },
    provider: work.provider ?? {},
  });
  const job = createReconcileAccountsJob(billing, pollMs);
  job.start();
  await clock.advance(0);
  return {
    clock,
    warnings,
    named: (...names: string[]) => done.filter(([name]) => names.includes(String(name))),
    order: () => done.map(([name]) => name),
    stop: () => job.stop(),
  };
}

test('while events or urgent accounts come, the next pass begins at once and routine ones wait', async () => {
  const event = { id: 'evt_1', paymentIntentId: 'pi_1', failures: 0 };
  const { order, stop } = await startJob({
    events: [[event]],
    urgent: [[], ['user_1'], ['user_2']],
    provider: { customerOfPayment: async () => undefined },
  });
  expect(order()).toEqual([
    ...['events', 'finish', 'urgent'],
    ...['events', 'urgent'],
    ...['events', 'urgent'],
    ...['events', 'urgent', 'routine', 'clean'],
  ]);
  await stop();
});

test('routine accounts are reconciled four at a time', async () => {
  let running = 0;
  const most: number[] = [];
  const { stop } = await startJob({
    routine: [['1', '2', '3', '4', '5', '6', '7', '8']],
    store: {
      find: async () => {
        most.push(++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return undefined;
      },
    },
  });
  await expect.poll(() => most).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
  await stop();
});

test.each([
  [0, 2 * SECOND],
  [1, 4 * SECOND],
  [8, 512 * SECOND],
  [9, 10 * MINUTE],
  [5_000, 10 * MINUTE],
])('after %i failures in a row an account that fails again waits %i ms', async (failures, pauseMs) => {
  const { named, warnings, stop } = await startJob({
    urgent: [['user_1']],
    store: { find: async () => accountOf({ failures }) },
    provider: { stateOf: () => Promise.reject(new Error('out')) },
  });
  expect(named('postpone')).toEqual([['postpone', 'user_1', NOW + pauseMs]]);
  expect(warnings).toMatchObject([{ msg: 'reconcile accounts: account failed, will retry', failures }]);
  await stop();
});

test('an event whose customer can not be looked up is tried again later, and a warning names it', async () => {
  const { named, warnings, stop } = await startJob({
    events: [[{ id: 'evt_1', paymentIntentId: 'pi_1', failures: 2 }]],
    provider: { customerOfPayment: () => Promise.reject(new Error('out')) },
  });
  expect(named('postpone event', 'finish')).toEqual([['postpone event', 'evt_1', NOW + 8 * SECOND]]);
  expect(warnings).toMatchObject([{ msg: 'billing: customer lookup failed, will retry', event: 'evt_1' }]);
  await stop();
});

test('events are removed thirty days after they were done, once an hour, or until none is left', async () => {
  const removed = [1_000, 999, 0];
  const cleaned: number[][] = [];
  const removeEventsDoneBefore = async (beforeMs: number, limit: number) => {
    cleaned.push([beforeMs, limit]);
    return removed.shift() ?? 0;
  };
  const { clock, stop } = await startJob({ store: { removeEventsDoneBefore } }, 10 * MINUTE);
  const second = NOW + 10 * MINUTE;
  await clock.advance(10 * MINUTE);
  expect(cleaned).toEqual([NOW, second].map((nowMs) => [nowMs - 30 * DAY, 1_000]));
  await clock.advance(HOUR - 1);
  expect(cleaned).toHaveLength(2);
  await clock.advance(1);
  expect(cleaned.slice(2)).toEqual([[second + HOUR - 30 * DAY, 1_000]]);
  await stop();
});
