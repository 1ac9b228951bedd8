import { beginRound, type Round } from './rounds.ts';
import { mustCome, until } from './until.ts';
import type { WatchedProduct } from './watched-product.ts';

const TOLD_WITHIN_MS = 60_000;

export interface FlowOptions {
  /** Cases that move in each round. */
  count: number;
  /** Users that watch all of them, besides those of a round. */
  also?: readonly string[];
  /** Number of the first round, 1 unless given: a round's cases are its own. */
  from?: number;
}

/** Waits until a round that began after the call is complete: every watcher has been notified. */
export type RoundCompleted = () => Promise<void>;

/**
 * Moves cases in rounds for as long as `work` takes: a round begins when every watcher has been notified of the one
 * before. `work` waits with `roundCompleted` where a round has to fall between two of its steps, however quick they are.
 */
export async function whileChangesFlow(
  product: WatchedProduct,
  { count, also = [], from = 1 }: FlowOptions,
  work: (roundCompleted: RoundCompleted) => Promise<void>,
): Promise<Round[]> {
  const rounds: Round[] = [];
  let begun = 0;
  let completed = 0;
  let working = true;
  const flow = async () => {
    while (working) {
      begun += 1;
      const round = await beginRound(product, from + begun - 1, count, also);
      rounds.push(round);
      if (!(await until(TOLD_WITHIN_MS, async () => (await round.progress()) === 1))) {
        const standing = JSON.stringify(
          { ...(await round.standing()), ...(await product.whatFailed()) },
          null,
          1,
        );
        throw new Error(`round ${rounds.length} is not complete after ${TOLD_WITHIN_MS} ms: ${standing}`);
      }
      completed += 1;
    }
  };
  const flowing = flow();
  // A failure is thrown where the rounds are awaited.
  flowing.catch(() => undefined);
  const roundCompleted = async () => {
    const next = begun + 1;
    await Promise.race([
      mustCome(`a whole round ${next}`, async () => completed >= next, 2 * TOLD_WITHIN_MS),
      flowing,
    ]);
  };
  try {
    await work(roundCompleted);
  } finally {
    working = false;
    await flowing;
  }
  return rounds;
}
