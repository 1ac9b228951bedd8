import { BEHAVIOR, type Behavior } from '@casewatch/payments-simulator/control/behavior';

type Switch = keyof Behavior;
const SWITCHES = Object.keys(BEHAVIOR) as Switch[];

const otherwise = (): Partial<Behavior> =>
  Object.fromEntries(SWITCHES.map((name) => [name, BEHAVIOR[name][1]]));

/** How Stripe behaves in a test that says nothing of it: every night also otherwise. */
export const usualWay = (): Partial<Behavior> => (process.env.STRIPE_OTHERWISE ? otherwise() : {});

/** How Stripe may behave where its documentation leaves it open: as by default, in one of these things otherwise, or in all of all. */
export function waysOf(names: readonly Switch[] = SWITCHES): [string, Partial<Behavior>][] {
  return [
    ['as by default', {}],
    ...names.map((name): [string, Partial<Behavior>] => [
      `by default, but ${name}: ${BEHAVIOR[name][1]}`,
      { [name]: BEHAVIOR[name][1] },
    ]),
    ['otherwise in everything', otherwise()],
  ];
}
