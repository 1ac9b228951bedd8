import type { Behavior } from '@casewatch/payments-simulator/control/behavior';
import { expect, test } from 'vitest';
import { requireReason, WAYS, walkEveryWay } from './walk-every-way.ts';
import { SWITCHES, type Switch, waysOf } from './ways-of-stripe.ts';

/** Which ways of each two switches meet. */
const pairsIn = (way: Partial<Behavior>) =>
  SWITCHES.flatMap((one, place) =>
    SWITCHES.slice(place + 1).map((other) => `${one}=${one in way} ${other}=${other in way}`),
  );

test('every pair of ways that Stripe may take has met', () => {
  expect(new Set(waysOf(SWITCHES, false).flatMap(([, way]) => pairsIn(way))).size).toBe(
    SWITCHES.length * (SWITCHES.length - 1) * 2,
  );
});

/** What a simulator consults: the second switch only where the first one is turned. */
const consults = (way: readonly Switch[]): Switch[] =>
  way.includes('trialCard') ? ['trialCard', 'portalCard'] : ['trialCard'];

test('every combination is shown by the runs that differ in what is consulted', () => {
  const ran: string[] = [];
  const walked = walkEveryWay((way, files) => {
    ran.push(...files.map((file) => `${file} ${way.join()}`));
    return (files.length > 0 ? files : ['asks', 'asks nothing']).map((file) => ({
      file,
      passed: true,
      consulted: file === 'asks' ? consults(way) : [],
    }));
  });
  expect(WAYS.length).toBe(2 ** SWITCHES.length);
  expect(walked.get('asks nothing')).toMatchObject({ runs: 1, shown: WAYS.length });
  expect(walked.get('asks')).toMatchObject({ runs: 3, shown: WAYS.length, failedIn: [] });
  expect(ran).toEqual(['asks trialCard', 'asks trialCard,portalCard']);
});

test('what fails is not shown: only in the ways that are like it', () => {
  const walked = walkEveryWay((way) => {
    const passed = !way.includes('portalCard') || !way.includes('trialCard');
    return [{ file: 'asks', passed, consulted: consults(way) }];
  });
  expect(walked.get('asks')).toMatchObject({
    shown: (WAYS.length * 3) / 4,
    failedIn: [['trialCard', 'portalCard']],
  });
});

test('a run that fails without a failed test ends the walk, too', () => {
  const [passed, failed] = [{ status: 'passed' }, { status: 'failed' }];
  requireReason(0, [passed]);
  requireReason(1, [passed, failed]);
  for (const exitCode of [1, null])
    expect(() => requireReason(exitCode, [passed])).toThrow('the run has failed');
});

test('a file without a result ends the walk', () => {
  expect(() => walkEveryWay(() => [])).toThrow('no result');
  const once = [{ file: 'asks', passed: true, consulted: SWITCHES }];
  expect(() => walkEveryWay((_way, files) => (files.length > 0 ? [] : once))).toThrow('no result of asks');
});
