import type { Resources } from './resources.ts';

/** How much each may grow from the second sixth of a soak to the last: caches fill in the first one. */
const MAX_GROWTH = {
  rssMb: { share: 0.15, amount: 30 },
  handles: { share: 0.1, amount: 20 },
  connections: { share: 0.1, amount: 5 },
} as const;
type Held = keyof typeof MAX_GROWTH;

export interface Growth {
  readonly held: Held;
  readonly from: number;
  readonly to: number;
  readonly isFlat: boolean;
}

/** Returns how memory, handles and connections have grown, by the medians of the second and the last sixth of the samples. */
export function growthOf(samples: readonly Resources[]): Growth[] {
  const sixth = Math.floor(samples.length / 6);
  if (sixth === 0) throw new Error('too few samples to say whether anything grows');
  const held: readonly Held[] = ['rssMb', 'handles', 'connections'];
  return held.map((name) => {
    const median = (from: number, to?: number) => middle(samples.slice(from, to).map((one) => one[name]));
    const from = median(sixth, 2 * sixth);
    const to = median(-sixth);
    const { share, amount } = MAX_GROWTH[name];
    return { held: name, from, to, isFlat: to - from <= Math.max(from * share, amount) };
  });
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
