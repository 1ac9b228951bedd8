import type { ProductProcess } from '@casewatch/dev-stack/processes/product-process';
import { expect } from 'vitest';
import type { SteadyLoad } from './steady-load.ts';

/** Restarts the replicas of a role as a Deployment does it: the second goes when the first is back. They keep what `env` adds. */
export async function roll(
  replicas: readonly ProductProcess[],
  load: SteadyLoad,
  env: Record<string, string> = {},
): Promise<void> {
  for (const replica of replicas) {
    const before = load.answered();
    expect(await replica.stop(), `${replica.name} ended in order`).toBe(0);
    await replica.restart(env);
    expect(load.answered(), 'requests were answered during the restart').toBeGreaterThan(before);
  }
}
