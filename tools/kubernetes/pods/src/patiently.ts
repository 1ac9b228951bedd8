import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 120_000;
const POLL_MS = 300;

/** Resolves once `check` holds; what throws does not hold yet. @throws after two minutes, or `patienceMs` */
export async function patiently(
  what: string,
  check: () => Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let last: unknown = 'it does not hold';
  for (;;) {
    try {
      if (await check()) return;
      last = 'it does not hold';
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) throw new Error(`not in time: ${what} (${last})`);
    await pause(POLL_MS);
  }
}
