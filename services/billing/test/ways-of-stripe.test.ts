import type { Behavior } from '@casewatch/payments-simulator/control/behavior';
import { expect, test } from 'vitest';
import { CARD_SWITCHES, meetingsIn, waysOf } from './ways-of-stripe.ts';

const meetingsOf = (ways: [string, Partial<Behavior>][], size: number) =>
  new Set(
    ways.flatMap(([, way]) =>
      meetingsIn(
        CARD_SWITCHES.filter((name) => way[name]),
        CARD_SWITCHES,
        size,
      ),
    ),
  ).size;
/** How many choices of `size` switches there are. */
const choices = (size: number, of = CARD_SWITCHES.length): number =>
  size === 0 ? 1 : (choices(size - 1, of - 1) * of) / size;

test('every pair of ways that Stripe may take has met, and by night every three', () => {
  expect(meetingsOf(waysOf(CARD_SWITCHES, false), 2)).toBe(choices(2) * 4);
  const byNight = waysOf(CARD_SWITCHES, true);
  expect(meetingsOf(byNight, 3)).toBe(choices(3) * 8);
  expect(new Set(byNight.map(([name]) => name)).size).toBe(byNight.length);
  expect(byNight.length).toBeLessThan(2 ** CARD_SWITCHES.length / 4);
});
