import type { Tier } from '@casewatch/contracts/limits';

export const FIRST_LOOK_MS = 1_000;
export const LOOK_EVERY_MS = 500;
export const LOOKS_MAX = 20;

interface Look {
  readTier: () => Promise<Tier | undefined>;
  wait: (ms: number) => Promise<void>;
}

/** Looks whether the user has become pro: after a second, then every half second, 20 times at most. False when not. */
export async function waitForPro({ readTier, wait }: Look): Promise<boolean> {
  await wait(FIRST_LOOK_MS);
  for (let looks = 1; ; looks += 1) {
    if ((await readTier()) === 'pro') return true;
    if (looks === LOOKS_MAX) return false;
    await wait(LOOK_EVERY_MS);
  }
}
