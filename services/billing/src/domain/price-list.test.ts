import { createManualClock } from '@casewatch/testing/manual-clock';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { billingOf } from '../../test/billing-parts.ts';
import { createPriceList } from './price-list.ts';
import type { PlanPrice } from './provider.ts';

const MINUTE = 60_000;
const price = (cents: number): PlanPrice => ({ id: 'price_1', cents, interval: 'month', name: 'Monthly' });

/** A price list on a provider that answers with what `answers` gives next, its last one again and again. */
function priceList({ stored = [], answers }: { stored?: PlanPrice[]; answers: (PlanPrice[] | Error)[] }) {
  const clock = createManualClock();
  const warnings: string[] = [];
  const saved: (readonly PlanPrice[])[] = [];
  let asked = 0;
  const list = createPriceList({
    clock,
    store: billingOf({
      store: {
        prices: async () => stored,
        savePrices: async (prices) => void saved.push(prices),
      },
    }).store,
    logger: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) }),
    provider: {
      listPrices: async () => {
        const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  });
  return {
    clock,
    list,
    saved,
    warnings,
    asked: () => asked,
    /** Offered now, and what that has caused is done. */
    offered: async () => {
      const found = await list.offered();
      await clock.advance(0);
      return found[0]?.cents;
    },
  };
}

test('prices are read once, kept, and read again in the background after ten minutes', async () => {
  const { clock, offered, asked, saved } = priceList({ answers: [[price(900)], [price(1_000)]] });
  expect(await offered()).toBe(900);
  await clock.advance(10 * MINUTE - 1);
  expect(await offered()).toBe(900);
  expect(asked()).toBe(1);
  await clock.advance(1);
  expect(await offered()).toBe(900);
  expect(await offered()).toBe(1_000);
  expect(asked()).toBe(2);
  expect(saved).toEqual([[price(900)], [price(1_000)]]);
});

test('prices are read again after ten minutes, also where the clock was set back', async () => {
  const { clock, offered, asked } = priceList({ answers: [[price(900)], [price(1_000)]] });
  await offered();
  await clock.jump(-1_440 * MINUTE);
  await offered();
  await clock.advance(10 * MINUTE);
  await offered();
  expect([asked(), await offered()]).toEqual([2, 1_000]);
});

test('stored prices are offered at once, and read again in the background', async () => {
  const { offered, list } = priceList({ stored: [price(800)], answers: [[price(900)]] });
  expect(await list.lastKnown()).toEqual([price(800)]);
  expect(await offered()).toBe(800);
  expect(await offered()).toBe(900);
});

test('after a failure the last prices are offered, a warning says so, and the next attempt is 15 seconds later', async () => {
  const { clock, offered, asked, warnings } = priceList({
    stored: [price(800)],
    answers: [new Error('out'), [price(900)]],
  });
  expect(await offered()).toBe(800);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('price list: refresh failed, serving the last known prices');
  await clock.advance(14_999);
  expect(await offered()).toBe(800);
  expect(asked()).toBe(1);
  await clock.advance(1);
  await offered();
  expect(await offered()).toBe(900);
  expect(asked()).toBe(2);
});

test('callers at the same time share one request, and prices that were never read are a failure', async () => {
  const { list, asked, saved } = priceList({ answers: [[], new Error('out'), [price(900)]] });
  const failed = await Promise.allSettled([list.offered(), list.offered()]);
  expect(failed).toMatchObject(Array(2).fill({ reason: { code: 'PAYMENTS_UNAVAILABLE' } }));
  expect([asked(), saved]).toEqual([1, []]);
  await expect(list.offered()).rejects.toThrow('out');
  expect(await list.offered()).toEqual([price(900)]);
});

test('the last known prices are none where none were read, and are not asked for', async () => {
  const { list, asked } = priceList({ answers: [[price(900)]] });
  expect(await list.lastKnown()).toEqual([]);
  expect(asked()).toBe(0);
});
