import { beginRound, type Round } from './rounds.ts';
import { mustCome } from './until.ts';
import type { WatchedProduct } from './watched-product.ts';

const TOLD_WITHIN_MS = 60_000;

export interface FlowOptions {
  /** Cases that move in each round. */
  count: number;
  /** Users who watch all of them, besides those of a round. */
  also?: readonly string[];
}

/** Cases move for as long as `work` takes: the next round begins when everybody has heard of the one before. */
export async function whileChangesFlow(
  product: WatchedProduct,
  { count, also = [] }: FlowOptions,
  work: () => Promise<void>,
): Promise<Round[]> {
  const rounds: Round[] = [];
  let working = true;
  const flow = async () => {
    while (working) {
      const round = await beginRound(product, rounds.length + 1, count, also);
      rounds.push(round);
      await mustCome(`round ${rounds.length}`, async () => (await round.progress()) === 1, TOLD_WITHIN_MS);
    }
  };
  const flowing = flow();
  // Told when it is waited for.
  flowing.catch(() => undefined);
  try {
    await work();
  } finally {
    working = false;
    await flowing;
  }
  return rounds;
}
