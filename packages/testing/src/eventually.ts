import { vi } from 'vitest';

const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 20;

/**
 * Looks again and again until `check` fails no more, and resolves with what it gave. For what has to come about however
 * busy the machine is: a test that asks how soon measures that itself. @throws the last failure, after fifteen seconds.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: LOOK_EVERY_MS });
