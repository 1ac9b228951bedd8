import type { RoleProcess } from '@casewatch/dev-stack/processes/product-processes';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A process that has run this long has recovered from what ended it. */
const WELL_AFTER_MS = 60_000;
const LAST_WORDS_LINES = 12;

export interface KeepAliveOptions {
  say(line: string): void;
  /** True once everything is being stopped. */
  stopping(): boolean;
  /** Waits; a test gives its own. */
  sleep?: (ms: number) => Promise<void>;
}

/** Starts a process that ended by itself again, after a pause that doubles from 0.5 s to 30 s while it keeps ending. */
export function keepAlive({ say, stopping, sleep = pause }: KeepAliveOptions) {
  const pauses = new Map<RoleProcess, { ms: number; endedAtMs: number }>();

  return async function startAgain(process: RoleProcess, how: string): Promise<void> {
    const words = process.logs().trimEnd().split('\n').slice(-LAST_WORDS_LINES).join('\n    ');
    while (!stopping()) {
      const pauseMs = nextPause(process);
      say(`  ${process.name} has ended (${how}); starting it again in ${pauseMs / 1000} s.`);
      if (words) say(`    ${words}`);
      await sleep(pauseMs);
      if (stopping()) return;
      try {
        await process.restart();
        say(`  ${process.name} runs again.`);
        return;
      } catch {
        how = 'it did not become ready';
      }
    }
  };

  function nextPause(process: RoleProcess): number {
    const before = pauses.get(process);
    const nowMs = performance.now();
    const ms =
      before && nowMs - before.endedAtMs < WELL_AFTER_MS + before.ms
        ? Math.min(2 * before.ms, MAX_PAUSE_MS)
        : FIRST_PAUSE_MS;
    pauses.set(process, { ms, endedAtMs: nowMs });
    return ms;
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
