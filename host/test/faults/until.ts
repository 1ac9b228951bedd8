import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Looks again and again in real time; resolves to whether it came true within the time. */
export async function until(withinMs: number, what: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await what()) return true;
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
}

/** The same for what must come true. @throws naming it. */
export async function mustCome(name: string, what: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  if (!(await until(withinMs, what))) throw new Error(`within ${withinMs} ms it did not come true: ${name}`);
}
