import type { Behavior } from '@casewatch/payments-simulator/control/behavior';
import { expect, test } from 'vitest';
import { meetingsIn, SWITCHES, waysOf } from './ways-of-stripe.ts';

const meetingsOf = (ways: [string, Partial<Behavior>][], size: number) =>
  new Set(
    ways.flatMap(([, way]) =>
      meetingsIn(
        SWITCHES.filter((name) => way[name]),
        SWITCHES,
        size,
      ),
    ),
  ).size;
/** How many choices of `size` switches there are. */
const choices = (size: number, of = SWITCHES.length): number =>
  size === 0 ? 1 : (choices(size - 1, of - 1) * of) / size;

test('every pair of ways that Stripe may take has met, and by night every three', () => {
  expect(meetingsOf(waysOf(SWITCHES, false), 2)).toBe(choices(2) * 4);
  const byNight = waysOf(SWITCHES, true);
  expect(meetingsOf(byNight, 3)).toBe(choices(3) * 8);
  expect(new Set(byNight.map(([name]) => name)).size).toBe(byNight.length);
  expect(byNight.length).toBeLessThan(2 ** SWITCHES.length / 4);
});
