import { BEHAVIOR, type Behavior } from '@casewatch/payments-simulator/control/behavior';

type Switch = keyof Behavior;
type Way = Partial<Behavior>;
const SWITCHES = Object.keys(BEHAVIOR) as Switch[];
/** What is about taxes, and what about promotion codes; their tests take these ways. */
export const TAX_SWITCHES: readonly Switch[] = ['previewTax', 'taxPlace'];
export const CODE_SWITCHES: readonly Switch[] = ['onceOverTrial', 'redemption'];
/** What is about cards and switches of the plan. */
export const CARD_SWITCHES = SWITCHES.filter((name) => ![...TAX_SWITCHES, ...CODE_SWITCHES].includes(name));

/** Returns the way that is the other one in these things and the usual one in all else. */
const otherwiseIn = (names: readonly Switch[]): Way =>
  Object.fromEntries(names.map((name) => [name, BEHAVIOR[name][1]]));

/** How Stripe behaves in a test that says nothing of it: every night also otherwise. */
export const usualWay = (): Way => (process.env.STRIPE_OTHERWISE ? otherwiseIn(SWITCHES) : {});

/**
 * How Stripe may behave where its documentation leaves it open: as by default, in one of these things otherwise, or in all of them, which
 * has every pair of ways; every night also so that every three of them have met.
 */
export function waysOf(
  names: readonly Switch[] = CARD_SWITCHES,
  isNight = process.env.STRIPE_OTHERWISE !== undefined,
): [string, Way][] {
  const ways = [[], ...names.map((name) => [name]), [...names]];
  if (isNight) ways.push(...missingThrees(names, ways));
  return ways.map((others) => [nameOf(others, names), otherwiseIn(others)]);
}

function nameOf(others: readonly Switch[], names: readonly Switch[]): string {
  if (others.length === 0) return 'as by default';
  if (others.length === names.length) return 'otherwise in everything';
  return `by default, but ${others.map((name) => `${name}: ${BEHAVIOR[name][1]}`).join(', ')}`;
}

/** Returns the ways to add so that any three have met: each time the one that brings most of those that are missing. */
function missingThrees(names: readonly Switch[], present: readonly (readonly Switch[])[]): Switch[][] {
  const all = Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_name, place) => bits & (1 << place)),
  );
  const missing = new Set(all.flatMap((way) => meetingsIn(way, names, 3)));
  const met = (way: readonly Switch[]) => meetingsIn(way, names, 3).filter((meeting) => missing.has(meeting));
  for (const way of present) for (const meeting of met(way)) missing.delete(meeting);
  const added: Switch[][] = [];
  while (missing.size > 0) {
    const [best = []] = all.toSorted((a, b) => met(b).length - met(a).length);
    for (const meeting of met(best)) missing.delete(meeting);
    added.push(best);
  }
  return added;
}

/** Returns which ways of each `size` of these switches meet: `trialCard=1 portalCard=0`, and so on. */
export function meetingsIn(way: readonly Switch[], names: readonly Switch[], size: number): string[] {
  if (size === 0) return [''];
  return names.flatMap((name, place) =>
    meetingsIn(way, names.slice(place + 1), size - 1).map(
      (rest) => `${name}=${way.includes(name) ? 1 : 0} ${rest}`,
    ),
  );
}
