import { appendFileSync } from 'node:fs';
import { BEHAVIOR, type Behavior } from '@casewatch/payments-simulator/control/behavior';

export type Switch = keyof Behavior;
type Way = Partial<Behavior>;
export const SWITCHES = Object.keys(BEHAVIOR) as Switch[];
/** What is about taxes, and what about promotion codes; their tests take these ways. */
export const TAX_SWITCHES: readonly Switch[] = ['previewTax', 'taxPlace'];
export const CODE_SWITCHES: readonly Switch[] = ['onceOverTrial', 'redemption'];
/** What is about cards and switches of the plan. */
const CARD_SWITCHES = SWITCHES.filter((name) => ![...TAX_SWITCHES, ...CODE_SWITCHES].includes(name));
/** Of a run of `run-every-way.ts`: what Stripe does otherwise, separated by commas, and the file for `Note`s. */
const { STRIPE_OTHERWISE: turned, STRIPE_CONSULTED: notes } = process.env;

/** Returns the way that is the other one in these things and the usual one in all else. */
const otherwiseIn = (names: readonly Switch[]): Way =>
  Object.fromEntries(names.map((name) => [name, BEHAVIOR[name][1]]));

/** How Stripe behaves where a test says nothing of it. */
export const usualWay = (): Way => otherwiseIn(SWITCHES.filter((name) => turned?.split(',').includes(name)));

/**
 * How Stripe may behave where its documentation leaves it open: as by default, in one of these things otherwise, or in all of them, which
 * has every pair of ways. A run of `run-every-way.ts` has its own way, and every other one at another time.
 */
export function waysOf(
  names: readonly Switch[] = CARD_SWITCHES,
  hasOwn = turned !== undefined,
): [string, Way][] {
  if (hasOwn) return [['as this run says', {}]];
  return [
    ['as by default', {}],
    ...names.map((name): [string, Way] => [
      `by default, but ${name}: ${BEHAVIOR[name][1]}`,
      otherwiseIn([name]),
    ]),
    ['otherwise in everything', otherwiseIn(names)],
  ];
}

/** Of each simulator of a test file there is one when it has started, and one with what it has consulted before it stops. */
export interface Note {
  file: string | undefined;
  consulted: Switch[] | null;
}

export function note(made: Note): void {
  if (notes !== undefined) appendFileSync(notes, `${JSON.stringify(made)}\n`);
}
