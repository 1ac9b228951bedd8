import { type Clock, WOKEN } from './clock.ts';
import type { Logger } from './logger.ts';
import { createSignal } from './signal.ts';

/** Milliseconds until the next pass, 0 for at once; with `holdMs` a notification does not shorten the wait. */
export type NextPass = number | { readonly holdMs: number };

export interface Stop {
  /** Aborted when the stop begins: a pass starts nothing new. */
  readonly stopping: AbortSignal;
  /** Aborted when the grace is over: a pass releases what it holds. */
  readonly abandon: AbortSignal;
}

export interface PollingJobOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  pass(stop: Stop): Promise<NextPass> | NextPass;
  /** Milliseconds that the job holds after a pass that throws. */
  readonly retryMs: number;
  /** Loops that run side by side. */
  readonly concurrency?: number;
  /** Milliseconds that a stop leaves to passes in progress before `abandon`; without it they take as long as they need. */
  readonly graceMs?: number;
}

export interface PollingJob {
  readonly name: string;
  start(): void;
  /** Starts the next pass now instead of at the end of its wait. */
  notify(): void;
  /** Starts no other pass; resolves when the passes in progress have ended. */
  stop(): Promise<void>;
}

/** Creates background work in passes, from start to stop. The first pass begins at the start. */
export function createPollingJob(options: PollingJobOptions): PollingJob {
  const { name, clock, logger, retryMs, concurrency = 1, graceMs } = options;
  const stopping = new AbortController();
  const abandon = new AbortController();
  const stop: Stop = { stopping: stopping.signal, abandon: abandon.signal };
  const signals = Array.from({ length: concurrency }, createSignal);
  let running: Promise<unknown> = Promise.resolve();

  async function run(signal: ReturnType<typeof createSignal>): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = await attempt();
      if (typeof next === 'object') await clock.sleep(next.holdMs, stopping.signal).catch(() => undefined);
      else if (next > 0) await untilNotified(signal, next);
    }
  }

  async function attempt(): Promise<NextPass> {
    try {
      return await options.pass(stop);
    } catch (error) {
      logger.warn({ err: error, job: name }, 'polling job: pass failed, will retry');
      return { holdMs: retryMs };
    }
  }

  async function untilNotified(signal: ReturnType<typeof createSignal>, ms: number): Promise<void> {
    const notified = new AbortController();
    const either = AbortSignal.any([stopping.signal, notified.signal]);
    await signal.wait(clock.sleep(ms, either).catch(() => undefined));
    notified.abort(WOKEN);
  }

  return {
    name,
    notify() {
      for (const signal of signals) signal.notify();
    },
    start() {
      running = Promise.all(signals.map(run));
    },
    async stop() {
      stopping.abort(new Error(`${name} stops`));
      const finished = new AbortController();
      if (graceMs !== undefined) {
        clock.sleep(graceMs, finished.signal).then(
          () => abandon.abort(new Error(`${name} stops`)),
          () => undefined,
        );
      }
      await running;
      finished.abort(new Error('finished'));
    },
  };
}
