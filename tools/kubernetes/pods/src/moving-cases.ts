import { setTimeout as pause } from 'node:timers/promises';
import { patiently } from './patiently.ts';
import type { Release } from './release.ts';
import { ORIGIN } from './release-values.ts';
import { createWatcher, notice } from './watcher.ts';

/** What a flow came to: nothing lost and nothing doubled when both are empty. */
export interface FlowResult {
  rounds: number;
  lost: string[];
  doubled: string[];
}

export interface MovingCases {
  /** Resolves when all watchers were notified of the latest move. */
  delivered(): Promise<void>;
  end(): Promise<FlowResult>;
}

/** Twice the period of a check by the simulated calendar: a duplicate would be there by then. */
const SETTLE_MS = 18_000;
/** A pod that hangs is killed after more than a minute, and its place taken by one that starts. */
const ROUND_PATIENCE_MS = 300_000;

/** Watched cases of a demo account, numbered from `first`. Resolves with what makes them move. */
export async function watchCases(release: Release, first: number, count = 3) {
  const receipts = Array.from({ length: count }, (_, n) => `EAC${String(1_000_000_000 + first + 2 * n)}`);
  const watcher = await createWatcher(
    await release.addressOf('gateway'),
    await release.addressOf('agency-simulator'),
    ORIGIN,
  );
  await watcher.watch(receipts);
  const moves: string[] = [];

  async function round(status: string): Promise<void> {
    const wanted = receipts.map((receipt) => notice(receipt, status));
    moves.push(...wanted);
    await Promise.all(receipts.map((receipt) => watcher.move(receipt, status)));
    await patiently(
      `all watchers were notified of ${status}`,
      async () => {
        const notices = new Set(await watcher.notices({ newest: true }));
        return wanted.every((one) => notices.has(one));
      },
      ROUND_PATIENCE_MS,
    );
  }

  /**
   * Moves all of them until `end`, each time after all were notified of the time before. `end` lets them move once
   * more and judges every move since the first. `title` distinguishes the flows.
   */
  return function begin(title: string): MovingCases {
    let rounds = 0;
    let working = true;
    let current = Promise.resolve();
    const flow = async () => {
      while (working) {
        current = round(`${title} ${++rounds}`);
        await current;
      }
    };
    const flowing = flow();
    // Reported when it is awaited.
    flowing.catch(() => undefined);
    return {
      delivered: () => current,
      end: async () => {
        working = false;
        await flowing;
        await round(`${title} ${++rounds}`);
        await pause(SETTLE_MS);
        const notices = await watcher.notices();
        const times = (move: string) => notices.filter((one) => one === move).length;
        return {
          rounds,
          lost: moves.filter((move) => times(move) === 0),
          doubled: moves.filter((move) => times(move) > 1),
        };
      },
    };
  };
}
