import { randomInt } from 'node:crypto';

/** Sends the same requests each time. */
const EVERY_CHANGE = { seed: 20_261_121, examples: 8 };
const FULL_EXAMPLES = 150;

/** Returns how much is tried: the same for every change, something else each time with `FUZZ_FULL` (`npm run nightly`). */
export function fuzzDepth({ FUZZ_FULL, FUZZ_SEED }: NodeJS.ProcessEnv) {
  const seed = FUZZ_SEED ? Number(FUZZ_SEED) : FUZZ_FULL ? randomInt(2 ** 31) : EVERY_CHANGE.seed;
  return { seed, examples: FUZZ_FULL ? FULL_EXAMPLES : EVERY_CHANGE.examples };
}
