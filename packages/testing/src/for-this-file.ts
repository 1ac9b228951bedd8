import { afterAll } from 'vitest';

const WITHIN_MS = 60_000;

/**
 * Resolves to what the tests of a file share, such as a service, once it has started, and stops it after the last of them.
 * @throws when it has not started within a minute
 */
export async function forThisFile<T extends { stop(): unknown }>(starting: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not started within ${WITHIN_MS} ms`)), WITHIN_MS);
  const started = await Promise.race([starting, late]).finally(() => clearTimeout(timer));
  afterAll(async () => void (await started.stop()));
  return started;
}
