import type { Logger } from './logger.ts';

/** A started part that must be stopped. */
export interface Stoppable {
  readonly name: string;
  stop(): Promise<void>;
}

/** Stops started parts in reverse order, each within a time limit; a failure does not keep the others from stopping. */
export function createLifecycle(logger: Logger, stopTimeoutMs = 10_000) {
  const started: Stoppable[] = [];
  let stopping: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    for (const part of started.splice(0).reverse()) {
      try {
        await withTimeout(part.stop(), stopTimeoutMs, `${part.name} did not stop within ${stopTimeoutMs} ms`);
      } catch (error) {
        logger.error(
          { err: error, part: part.name },
          'lifecycle: part did not stop cleanly, stopping the next one',
        );
      }
    }
  }

  return {
    add(part: Stoppable): void {
      started.push(part);
    },
    /** Safe to call more than once: later calls wait for the first. */
    stop(): Promise<void> {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
export type Lifecycle = ReturnType<typeof createLifecycle>;

/** Rejects with `message` when `work` takes longer than `ms`; `work` itself is not canceled. */
export async function withTimeout<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
